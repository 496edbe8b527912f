import { damageTests } from '../../testing/damage.js';

damageTests('iprof');
