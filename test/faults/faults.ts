import { autoProjectionFaults } from './auto-projections.ts';
import { bucketStorageFaults } from './bucket-storage.ts';
import { deletedFieldFaults } from './deleted-fields.ts';
import { deliveryFaults } from './deliveries.ts';
import type { Fault } from './fault.ts';
import { fileStorageFaults } from './file-storage.ts';
import { historyFaults } from './histories.ts';
import { hostileTextFaults } from './hostile-texts.ts';
import { jobFaults } from './jobs.ts';
import { loginEndFaults } from './login-ends.ts';
import { madeUpInputFaults } from './made-up-inputs.ts';
import { rememberedLoginFaults } from './remembered-logins.ts';
import { scanningFaults } from './scanning.ts';
import { searchingFaults } from './searching.ts';
import { stylesheetFaults } from './stylesheets.ts';
import { waysInFaults } from './ways-in.ts';

const crashes = 'test/simulation/crash-points.test.ts';
const ticks = 'test/administration/notifications/delivery/tick.test.ts';

/** Faults that happened elsewhere, or would be easily made here. */
export const faults: readonly Fault[] = [
  {
    name: 'a credential in a compressed answer',
    file: 'src/http/compress.ts',
    find: "    if (headers?.['cache-control'] === 'no-store') return reply;\n",
    replace: '',
    caughtBy: 'test/http/compress.test.ts',
  },
  {
    name: 'another exit code of a failure',
    file: 'src/entry/program.ts',
    find: 'process.exitCode = 1;',
    replace: 'process.exitCode = 2;',
    caughtBy: 'test/entry/command-line.test.ts',
  },
  {
    name: 'a grant that counts although its grantor lost ALL',
    file: 'src/assets/access/grants.ts',
    find: 'return isRooted(entry, this.#situation) || this.#on.has(grantKey(entry));',
    replace: 'return true;',
    caughtBy: 'test/assets/access/precedence.test.ts',
  },
  ...(
    [
      ['members of groups', "    ...everyChange('access_revision_group_user', 'group_user', revised, '1'),\n"],
      [
        'users that are switched off',
        "    access_revision_user_update_of_enabled: updated('user', 'enabled', revised, '1'),\n",
      ],
      [
        'collections that move',
        "    ...everyChange('access_revision_collection_member', 'collection_member', revised, isMoved),\n",
      ],
    ] as const
  ).map(([what, find]) => ({
    name: `rights kept although they changed: ${what}`,
    file: 'src/assets/access/triggers-sql.ts',
    find,
    replace: '',
    caughtBy: 'test/assets/access/revision.test.ts',
  })),
  {
    name: 'entries of users that reach items through a library',
    file: 'src/assets/access/contexts-sql.ts',
    find: "WHERE down.type = 'library' AND down.free AND",
    replace: "WHERE down.type = 'library' AND",
    caughtBy: 'test/assets/access/precedence.test.ts',
  },
  {
    name: 'a member that passes rights on although its adder has none',
    file: 'src/assets/items/collections/members/change.ts',
    find: 'const passing = storedMember ? undefined : (await passingAmong(call, [member]))(member);',
    replace: 'const passing = storedMember ? undefined : ({ passes: 1, inherits: 1 } as const);',
    caughtBy: 'test/assets/access/levels.test.ts',
  },
  {
    name: 'enqueue after the commit',
    file: 'src/core/store/unit-of-work.ts',
    find: 'const statements = statementsOf(work, actor, now, added instanceof Promise ? await added : added);\n    const outcome = await database.write(\n      statements,\n      concerned?.works.length ? { commit, works: concerned.works } : undefined,\n    );',
    replace:
      'const { before, after } = (await added) ?? none;\n    const statements = statementsOf(work, actor, now, { before, after: [] });\n    const outcome = await database.write(statements, concerned?.works.length ? { commit, works: concerned.works } : undefined);\n    if (outcome.done && after.length > 0) await database.write(after);',
    caughtBy: crashes,
  },
  {
    name: 'the event after the change',
    file: 'src/core/store/unit-of-work.ts',
    find: 'const outcome = await database.write(\n      statements,\n      concerned?.works.length ? { commit, works: concerned.works } : undefined,\n    );',
    replace:
      'const share = concerned?.works.length ? { commit, works: concerned.works } : undefined;\n    const first = ((await added) ?? none).before.length + changes.length;\n    const outcome = await database.write(statements.slice(0, first), share);\n    if (statements.length > first) await database.write(statements.slice(first));',
    caughtBy: crashes,
  },
  {
    name: 'a lease that nobody keeps',
    file: 'src/core/work/tick.ts',
    find: 'while (!over.aborted) {',
    replace: 'while (false) {',
    caughtBy: ticks,
  },
  {
    name: 'all lanes one after the other',
    file: 'src/core/work/tick.ts',
    find: 'kind.claim(max, now, isHeld)',
    replace: 'kind.claim(1 - leasedPieces.size, now, isHeld)',
    caughtBy: ticks,
  },
  {
    name: 'circles that never end',
    file: 'src/composition/commit.ts',
    find: 'depth: services.depthOf(headers)',
    replace: 'depth: 0',
    caughtBy: 'test/administration/notifications/delivery/scenario.test.ts',
  },
  {
    name: 'the answer of a route for callers that only act is not asked',
    file: 'src/http/acting.ts',
    find: "if (acting === 'refused') throw outlastsActing();",
    replace: "if (acting === 'refused') return undefined;",
    caughtBy: 'test/security/acting.test.ts',
  },
  {
    name: 'a caller that only acts changes any account',
    file: 'src/identity/users/rules.ts',
    find: '(givesPower || actingFor !== id)',
    replace: 'givesPower',
    caughtBy: 'test/security/acting.test.ts',
  },
  {
    name: 'a caller that only acts writes memberships of groups',
    file: 'src/identity/groups/rules.ts',
    find: 'if (touchesMembers && by.onlyActs) throw outlastsActing();',
    replace: '',
    caughtBy: 'test/security/acting.test.ts',
  },
  {
    name: 'a token sets a password',
    file: 'src/identity/access-checks.ts',
    find: "kind === 'password'",
    replace: 'kind !== undefined',
    caughtBy: 'test/security/outlasting.test.ts',
  },
  {
    name: 'an audit log that stops when it is full',
    file: 'src/administration/audit/recorder.ts',
    find: 'if (!gathered.add(entry)) dropped().add();',
    replace: 'if (!gathered.add(entry)) return dropped().add();',
    caughtBy: 'test/administration/audit',
  },
  {
    name: 'a failed commit of the audit log that is forgotten',
    file: 'src/core/store/batch-writer.ts',
    find: 'gathered.failed(each);',
    replace: 'gathered.written(each);',
    caughtBy: 'test/administration/audit',
  },
  {
    name: 'an audit log that gives one network all the room',
    file: 'src/administration/audit/gathered.ts',
    find: '< this.#maxOfOne',
    replace: '< maxExact',
    caughtBy: 'test/administration/audit',
  },
  {
    name: 'a sweep of the audit log that removes entries of users for those of anonymous callers',
    file: 'src/administration/audit/sweeper.ts',
    find: 'Math.floor(max / 2)',
    replace: 'max',
    caughtBy: 'test/administration/audit',
  },
  {
    name: 'a route that tells a weaker need than it enforces',
    file: 'src/http/route.ts',
    find: 'access({ role: name }, (call)',
    replace: "access({ role: 'any caller' }, (call)",
    caughtBy: 'test/security/role-matrix.test.ts',
  },
  {
    name: 'an OpenAPI document that asks open routes for credentials',
    file: 'src/http/openapi/operation.ts',
    find: "access.needs.role === 'nothing' ? { security: [] } : {}",
    replace: '{}',
    caughtBy: 'test/http/openapi',
  },
  {
    name: 'an OpenAPI document that forgets the second route of a path',
    file: 'src/http/openapi/index.ts',
    find: 'routes.flatMap((route) => {',
    replace: 'routes.slice(0, 1).flatMap((route) => {',
    caughtBy: 'test/http/openapi',
  },
  {
    name: 'a description with another version on each instance',
    file: 'src/administration/operations/description-routes.ts',
    find: 'version: fingerprint(mine.digests)',
    replace: 'version: fingerprint(mine.digests + Math.random())',
    caughtBy: 'test/administration/operations/description.test.ts',
  },
  {
    name: 'an edge that does the work of servers',
    file: 'src/core/work/work.ts',
    find: 'kinds.filter(({ hosts }) => hosts.includes(host))',
    replace: 'kinds.filter(() => true)',
    caughtBy: 'test/docs/where.test.ts',
  },
  {
    name: 'an opaque segment that chains see decoded',
    file: 'src/security/path.ts',
    find: 'name: name.replace(/[%/;\\\\]/g, encodeURIComponent)',
    replace: 'name',
    caughtBy: 'test/security/opaque-paths.test.ts',
  },
  {
    name: 'an opaque segment with a dot segment that is encoded twice',
    file: 'src/security/path.ts',
    find: '|%(?:25)*2e){1,2}',
    replace: '|%2e){1,2}',
    caughtBy: 'test/security/opaque-paths.test.ts',
  },
  {
    name: 'an encoded slash for a parameter that is not opaque',
    file: 'src/http/routing.ts',
    find: "path.includes('%') ? escaped() : plain",
    replace: 'plain',
    caughtBy: 'test/http/opaque.test.ts',
  },
  {
    name: 'a document that becomes a text with its quotes',
    file: 'src/http/sent-body.ts',
    find: 'if (text && !document && isText(type))',
    replace: 'if (text)',
    caughtBy: 'test/http/sent-body.test.ts',
  },
  {
    name: 'a wrong type without a body that is refused',
    file: 'src/http/sent-body.ts',
    find: 'if (blank) return',
    replace: 'if (blank && false) return',
    caughtBy: 'test/http/sent-body.test.ts',
  },
  ...deliveryFaults,
  ...historyFaults,
  ...jobFaults,
  ...fileStorageFaults,
  ...scanningFaults,
  ...searchingFaults,
  ...bucketStorageFaults,
  ...loginEndFaults,
  ...madeUpInputFaults,
  ...rememberedLoginFaults,
  ...autoProjectionFaults,
  ...stylesheetFaults,
  ...deletedFieldFaults,
  ...waysInFaults,
  ...hostileTextFaults,
];
