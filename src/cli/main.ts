import { fileSource } from '../bytes/file.node.js';
import { ask, openSession } from '../session/session.js';

const session = await openSession([await fileSource(process.argv[2] ?? '')]);
const result = await ask(session, { view: 'functions' });
process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
