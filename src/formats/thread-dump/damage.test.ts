import { damageTests } from '../../testing/damage.js';

damageTests('thread-dump');
