import { damageTests } from '../../testing/damage.js';

damageTests('class-histogram');
