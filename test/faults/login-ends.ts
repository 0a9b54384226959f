import type { Fault } from './fault.ts';

const tokenRules = 'src/identity/tokens/rules.ts';
const vault = 'src/identity/api-settings/secrets.ts';
const ends = 'test/identity/login-ends.test.ts';
const revoked = 'test/administration/scheduling/revoked.test.ts';
const secrets = 'test/identity/api-settings/secrets.test.ts';

/** Faults that let something outlive the login that begins it, or tell a secret to a host of somebody else. */
export const loginEndFaults: readonly Fault[] = [
  {
    name: 'a login by bearer token that begins what never ends',
    file: 'filters/bearer/login.ts',
    find: '{ ends: expires }',
    replace: '{}',
    caughtBy: ends,
  },
  {
    name: 'a login of an acting account whose end is left out',
    file: tokenRules,
    find: '[ends, actor?.ends, proof?.ends]',
    replace: '[ends, proof?.ends]',
    caughtBy: ends,
  },
  {
    name: 'a login by token whose end is left out',
    file: tokenRules,
    find: '[ends, actor?.ends, proof?.ends]',
    replace: '[ends, actor?.ends]',
    caughtBy: ends,
  },
  {
    name: 'a login at a realm without an end that begins what never ends',
    file: tokenRules,
    find: 'return proof ? undefined : now + realmLogin;',
    replace: 'return undefined;',
    caughtBy: ends,
  },
  {
    name: 'a login at a realm that each use makes longer',
    file: 'src/security/authenticator.ts',
    find: 'if (accounts.get(key, now) === undefined)',
    replace: '',
    caughtBy: 'test/security/authenticator.test.ts',
  },
  {
    name: 'a login whose revocation with all others is not counted',
    file: tokenRules,
    find: ', countRevocation({ id: user.id })],',
    replace: '],',
    caughtBy: revoked,
  },
  {
    name: 'a login revoked by itself that leaves its requests',
    file: 'src/room/kept-caller-sql.ts',
    find: '[end({ login })]',
    replace: '[]',
    caughtBy: revoked,
  },
  {
    name: 'a share that goes on after the logins of its maker were revoked',
    file: 'src/identity/directory.ts',
    find: 'if (login.revocations === revocations) return login;',
    replace: 'return login;',
    caughtBy: 'test/extensions/shares/revoked.test.ts',
  },
  {
    name: 'an import that is refused, whose bytes stay',
    file: 'src/storage/bytes/publishing/publish.ts',
    find: '(isRequested(publication.mode) && error !== gone && isRefusal(error))',
    replace: 'false',
    caughtBy: 'test/extensions/shares/refused-uploads.test.ts',
  },
  {
    name: 'a comment of a guest that its share does not count',
    file: 'src/http/command.ts',
    find: 'also?.(work) ?? work',
    replace: 'work',
    caughtBy: 'test/extensions/shares/comments.test.ts',
  },
  {
    name: 'a command that does what security.ini closes by its address',
    file: 'src/http/command.ts',
    find: 'if (!decision.granted) {',
    replace: 'if (!decision.granted && !subject) {',
    caughtBy: 'test/extensions/shares/attacks.test.ts',
  },
  {
    name: 'a command that asks no role',
    file: 'src/http/command.ts',
    find: 'await permit(route, call, params);',
    replace: '',
    caughtBy: 'test/extensions/shares/attacks.test.ts',
  },
  {
    name: 'a token of another user that outlives the logins of who asked for it',
    file: tokenRules,
    find: 'if (!account || account.id === holder) return proof?.maker;',
    replace: 'return undefined;',
    caughtBy: 'test/identity/token-ends.test.ts',
  },
  {
    name: 'a login that a disabled account gets back',
    file: 'src/identity/users/store.ts',
    find: "  'UPDATE user SET revocations = revocations + 1 WHERE id = new.id',\n",
    replace: '',
    caughtBy: revoked,
  },
  {
    name: 'a secret for hosts of keepers of storages',
    file: vault,
    find: 'if (!(await subjectOf(call).has(administrator))) {',
    replace: 'if (false) {',
    caughtBy: secrets,
  },
  {
    name: 'a secret for hosts of accounts that act',
    file: vault,
    find: 'if (await onlyActs(call))',
    replace: 'if (false)',
    caughtBy: secrets,
  },
];
