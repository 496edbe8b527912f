import { damageTests } from '../../testing/fuzz/damage.js';

damageTests('analysis-statistics');
damageTests('native-image-build-output');
