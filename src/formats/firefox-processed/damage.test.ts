import { damageTests } from '../../testing/fuzz/damage.js';

damageTests('firefox-processed');
