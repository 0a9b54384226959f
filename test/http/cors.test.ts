import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const page = 'https://page.test';
const from = (origin: string) => ({ headers: { origin } });
const preflight = (origin: string) => ({
  headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
});
const silent = {
  'access-control-allow-origin': null,
  'access-control-allow-methods': null,
  'access-control-expose-headers': null,
};

const listed: readonly Scenario[] = [
  {
    name: 'answers the preflight of a listed origin without credentials',
    request: 'OPTIONS /API/user',
    ...preflight(page),
    status: 204,
    answers: {
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'access-control-allow-headers': /authorization.*content-type.*runas/,
      'access-control-max-age': '600',
      'access-control-allow-credentials': null,
      vary: /Origin/i,
    },
  },
  {
    name: 'allows nothing in the preflight of another',
    request: 'OPTIONS /API/user',
    ...preflight('https://evil.test'),
    status: 204,
    answers: silent,
  },
  {
    name: 'refuses a malformed path in a preflight too',
    request: 'OPTIONS /API%2fuser',
    ...preflight(page),
    status: 400,
  },
  {
    name: 'lets a page of a listed origin read an answer',
    as: admin,
    request: 'GET /API/whoami',
    ...from(page),
    status: 200,
    answers: { 'access-control-allow-origin': page, 'access-control-expose-headers': /x-request-id/, vary: /Origin/i },
  },
  ...(
    [
      ['GET /API/whoami', 401, undefined],
      ['GET /API/nowhere', 404, admin],
      ['PATCH /API/whoami', 405, admin],
      ['GET /API%2fwhoami', 400, undefined],
      ['GET /API/whoami', 401, ['admin', 'wrong'] as const],
    ] as const
  ).map(([request, status, as]) => ({
    name: `lets it read the refusal ${status} of ${request}`,
    as,
    request,
    ...from(page),
    status,
    answers: { 'access-control-allow-origin': page },
  })),
  ...['https://evil.test', 'https://page.test.evil.test', 'http://page.test', 'https://page.test:444', 'null'].map(
    (origin) => ({
      name: `tells a page of ${origin} nothing`,
      as: admin,
      request: 'GET /API/whoami',
      ...from(origin),
      status: 401,
      answers: silent,
    }),
  ),
];

const any: readonly Scenario[] = [
  {
    name: 'lets any page read, without naming it',
    as: admin,
    request: 'GET /API/whoami',
    ...from('https://x.test'),
    status: 200,
    answers: { 'access-control-allow-origin': '*' },
  },
  {
    name: 'answers any preflight',
    request: 'OPTIONS /API/user',
    ...preflight('https://x.test'),
    status: 204,
    answers: { 'access-control-allow-origin': '*' },
  },
];

const none: readonly Scenario[] = [
  {
    name: 'lets no page read where no origin is listed',
    as: admin,
    request: 'GET /API/whoami',
    ...from(page),
    status: 401,
    answers: silent,
  },
  {
    name: 'allows nothing in any preflight',
    request: 'OPTIONS /API/user',
    ...preflight(page),
    status: 204,
    answers: silent,
  },
  {
    name: 'does not take OPTIONS without a method asked for as a preflight',
    request: 'OPTIONS /API/user',
    ...from(page),
    status: 401,
  },
];

describeMatrix('CORS with a list', (entry) => itHolds(entry, listed, { settings: { corsOrigins: [page] } }));
describeMatrix('CORS for all', (entry) => itHolds(entry, any, { settings: { corsOrigins: ['*'] } }));
describeMatrix('CORS for none', (entry) => itHolds(entry, none));
