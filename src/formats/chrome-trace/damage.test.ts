import { damageTests } from '../../testing/fuzz/damage.js';

damageTests('chrome-trace');
