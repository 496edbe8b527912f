import { damageTests } from '../../../testing/fuzz/damage.js';

damageTests('call-tree/tables');
