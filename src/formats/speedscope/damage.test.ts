import { damageTests } from '../../testing/damage.js';

damageTests('speedscope');
