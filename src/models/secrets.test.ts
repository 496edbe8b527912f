/** Which values are hidden, on names and command lines as they occur. */
import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HIDDEN, isSecretName, withoutSecrets } from './secrets.js';

describe('names of secrets', () => {
  for (const name of [
    ...['PASSWORD', 'db.passwd', 'PGPASSWORD', 'MYSQL_PWD', 'javax.net.ssl.keyStorePassword', 'ssh-passphrase'],
    ...['AWS_SECRET_ACCESS_KEY', 'apiKey', 'API_KEY', 'api.keys', 'apikey', 'GITHUB_TOKEN', 'authToken', 'X-Auth'],
    ...['client_secret', 'google.credentials', 'Authorization', 'sslKey', 'KEY', 'session_id', 'db.pass', 'dd.api-key'],
  ])
    test(`${name} is one`, () => ok(isSecretName(name)));
  for (const name of [
    ...['PATH', 'keyboard.layout', 'monkey', 'tokenizer.threads', 'java.class.path', 'user.name', 'COMPASS_HOME'],
    ...['author', 'JAVA_HOME', 'bypassed', 'java.security.manager', 'PWD', 'OLDPWD', 'java.security.auth.login.config'],
  ])
    test(`${name} is none`, () => ok(!isSecretName(name)));
});

describe('texts', () => {
  for (const [text, shown] of [
    ['-Ddb.password=hunter2 -Xmx1g', `-Ddb.password=${HIDDEN} -Xmx1g`],
    ['-Ddb.password="two words" x', `-Ddb.password=${HIDDEN} x`],
    ['serve --api-key abc --port 80', `serve --api-key ${HIDDEN} --port 80`],
    ['serve --token=abc,def', `serve --token=${HIDDEN}`],
    ['-agentpath:a.so=start,token=abc,file=x.jfr', `-agentpath:a.so=start,token=${HIDDEN},file=x.jfr`],
    ['jdbc:postgresql://me:pw@host/db', `jdbc:postgresql://me:${HIDDEN}@host/db`],
    ['-Djava.class.path=a.jar:b.jar shop.Main 3', '-Djava.class.path=a.jar:b.jar shop.Main 3'],
    ['Authorization: Bearer abcdefghijk', `Authorization: Bearer ${HIDDEN}`],
    ['{"secret": "x", "port": 1}', `{"secret": ${HIDDEN}, "port": 1}`],
    ['jdbc:x://me@host/db?password=p&ssl=1', `jdbc:x://me@host/db?password=${HIDDEN}&ssl=1`],
    ['', ''],
  ] as const)
    test(JSON.stringify(text), () => equal(withoutSecrets(text), shown));

  test('of a mebibyte take no longer than their length asks for', () => {
    for (const piece of ['a', '-', '=', 'key=', '--a ', '://', 'a:', ' ', '"', '"a":', 'Basic '])
      ok(withoutSecrets(piece.repeat((1 << 18) / piece.length)).length > 0);
  });
});
