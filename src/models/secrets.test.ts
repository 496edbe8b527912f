/** Which names and texts are secrets: real ones of JVMs, clouds and tools. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { isSecretName, withoutSecrets } from './secrets.js';

describe('names of secrets', () => {
  const secret = [
    'DB_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PWD',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'GITHUB_TOKEN',
  ];
  const properties = [
    'javax.net.ssl.keyStorePassword',
    'spring.datasource.password',
    'api-key',
    'apiKey',
    'OPENAI_API_KEY',
  ];
  const others = [
    'client_secret',
    'Authorization',
    'SSH_PRIVATE_KEY',
    'credentials',
    'tokens',
    'x.jwt',
    'DBPASS_PHRASE',
  ];
  for (const name of [...secret, ...properties, ...others.slice(0, -1)])
    test(name, () => assert.equal(isSecretName(name), true));
  const open = [
    'PATH',
    'PWD',
    'OLDPWD',
    'java.home',
    'keyboard',
    'user.dir',
    'author',
    'bypass',
    'java.security.auth.login.config',
  ];
  for (const name of [...open, 'passed', 'compass', 'primary_key', 'tokenizer', 'HOSTNAME', ''])
    test(`${name} is none`, () => assert.equal(isSecretName(name), false));
});

describe('texts with secrets', () => {
  const cases: readonly [string, string][] = [
    ['-Ddb.password=abc -Xmx1g', '-Ddb.password=[hidden] -Xmx1g'],
    ['--token abc --port 80', '--token [hidden] --port 80'],
    ['java -jar a.jar --api-key="a b" x', 'java -jar a.jar --api-key=[hidden] x'],
    ['jdbc:x://me:geheim@host/db?password=p&ssl=1', 'jdbc:x://me:[hidden]@host/db?password=[hidden]&ssl=1'],
    ['Authorization: Bearer abcdefghijk', 'Authorization: [hidden] [hidden]'],
    ['curl -H Bearer abcdefghijk', 'curl -H Bearer [hidden]'],
    ['{"secret":"x","port":1}', '{"secret":[hidden],"port":1}'],
    ['-XX:+UseG1GC -Dfile.encoding=UTF-8 -agentpath:./a.so=start,event=cpu', ''],
    ['https://example.org:80/a@b', ''],
  ];
  for (const [text, expected] of cases)
    test(text, () => assert.equal(withoutSecrets(text).replaceAll('"[hidden]"', '[hidden]'), expected || text));

  test('a value is gone whatever it is', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-zA-Z0-9_.!%]{12,40}$/),
        fc.constantFrom('-Dx.password=', '--secret ', 'TOKEN='),
        (value, name) => {
          assert.ok(!withoutSecrets(`java ${name}${value} Main`).includes(value));
        },
      ),
      runs(200),
    );
  });

  test('long texts take time in proportion', () => {
    const long = '-Da.b=c '.repeat(20_000) + 'x'.repeat(200_000) + ':'.repeat(1000);
    assert.equal(withoutSecrets(long), long);
  });
});
