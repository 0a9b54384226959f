import type { Route } from '../../../src/http/route.ts';
import { accessRules } from './access.ts';
import { assetRules } from './assets.ts';
import { attachmentRules } from './attachments.ts';
import { autoProjectionRules } from './auto-projections.ts';
import { byteRules } from './bytes.ts';
import { definitionRules } from './definitions.ts';
import { elsewhereRules } from './elsewhere.ts';
import { exportRules } from './exports.ts';
import { fileRules } from './files.ts';
import { identityRules } from './identity.ts';
import { importRules } from './imports.ts';
import { jobRules } from './jobs.ts';
import { madeRule } from './made.ts';
import { metadataRules } from './metadata.ts';
import { placingRules } from './placing.ts';
import { quotaRules } from './quota.ts';
import { reviewRules } from './review.ts';
import { everyRoute, nameOf } from './routes.ts';
import { get, type Rule } from './rule.ts';
import { runnerRules } from './runners.ts';
import { schedulingRules } from './scheduling.ts';
import { scimRules } from './scim.ts';
import { searchRules } from './search.ts';
import { secretRules } from './secrets.ts';
import { shapeRules } from './shapes.ts';
import { shareRules } from './shares.ts';
import { storageRules } from './storages.ts';
import { taskGroupRules } from './task-groups.ts';
import { transcodingRules } from './transcoding.ts';
import { waysIn } from './ways-in.ts';

/** Routes whose requests cannot be made from what they say of themselves, and those whose access is told once more. */
export const rows: readonly Rule[] = [
  ...accessRules,
  ...assetRules,
  ...attachmentRules,
  ...identityRules,
  ...waysIn,
  ...elsewhereRules,
  ...fileRules,
  ...storageRules,
  ...placingRules,
  ...byteRules,
  ...importRules,
  ...jobRules,
  ...definitionRules,
  ...metadataRules,
  ...searchRules,
  ...shapeRules,
  ...exportRules,
  ...reviewRules,
  ...transcodingRules,
  ...quotaRules,
  ...taskGroupRules,
  ...schedulingRules,
  ...secretRules,
  ...runnerRules,
  ...scimRules,
  ...shareRules,
  ...autoProjectionRules,
  {
    route: 'GET /upgrade-plan',
    needs: '_administrator',
    request: get('/API/upgrade-plan?from=4.1&to=5.0'),
  },
  { route: 'GET /version', needs: 'any caller', request: get('/API/version') },
  { route: 'GET /whatismyipaddress', needs: 'nothing', request: get('/API/whatismyipaddress') },
  { route: 'POST /APIinit', needs: 'nothing', request: () => ({ request: 'POST /APIinit' }) },
  { route: 'GET /APInoauth/is-online', needs: 'nothing', request: get('/APInoauth/is-online') },
  { route: 'GET /health', needs: 'nothing', request: get('/health') },
  { route: 'GET /health/live', needs: 'nothing', request: get('/health/live') },
  { route: 'GET /health/ready', needs: 'nothing', request: get('/health/ready') },
  { route: 'GET /metrics', needs: '_administrator', request: get('/metrics') },
  { route: 'GET /work', needs: '_administrator', request: get('/API/work') },
  { route: 'GET /security/finding', needs: '_administrator', request: get('/API/security/finding') },
  { route: 'GET /security/explain', needs: '_administrator', request: get('/API/security/explain?target=%2F') },
  { route: 'GET /openapi.json', needs: 'any caller', request: get('/API/openapi.json') },
  { route: 'GET /schema.xsd', needs: 'any caller', request: get('/API/schema.xsd') },
  { route: 'GET /application.wadl', needs: 'any caller', request: get('/API/application.wadl') },
  { route: 'GET /selftest', needs: 'any caller', request: get('/API/selftest') },
  { route: 'GET /selftest/:test', needs: 'any caller', request: get('/API/selftest/database') },
  {
    route: 'PUT /APInoauth/debug/echo',
    needs: 'nothing',
    request: () => ({ request: 'PUT /APInoauth/debug/echo', body: '<URIListDocument/>' }),
  },
  { route: 'GET /APInoauth/selftest', needs: 'nothing', request: get('/APInoauth/selftest') },
  { route: 'GET /APInoauth/selftest/:test', needs: 'nothing', request: get('/APInoauth/selftest/database') },
];

const told = new Set(rows.map(({ route }) => route));

/** Every route but those of notifications and of the feed, which have tables of their own. */
export const rules: readonly Rule[] = [
  ...rows,
  ...everyRoute.filter((route) => !told.has(nameOf(route))).flatMap((route) => madeRule(route) ?? []),
];

/** Rules whose requests succeed. The others only say why nobody here can carry them out. */
export const served: readonly Rule[] = rules.filter(({ allowed }) => allowed === undefined);

const byRoute = new Map(rules.map((rule) => [rule.route, rule]));

export const howToTell = 'a row in test/security/roles says its request, and what must be there before';

export function ruleOf(route: Route): Rule {
  const rule = byRoute.get(nameOf(route));
  if (rule) return rule;
  throw new Error(`${nameOf(route)}: its request does not follow from what it says of itself. Remedy: ${howToTell}`);
}
