import { damageTests } from '../../testing/damage.js';

damageTests('hprof-text');
