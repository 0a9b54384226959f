import { people, reader } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const ask = (target: string, user?: string) =>
  `GET /API/security/explain?target=${encodeURIComponent(target)}${user ? `&user=${user}` : ''}`;
const asText = { headers: { accept: 'text/plain' } };

const rows: readonly Scenario[] = [
  {
    name: 'tells what nobody in particular would meet',
    as: admin,
    request: ask('/API/item/VX-1;first=1?x=2'),
    ...asText,
    status: 200,
    says: {
      contains: [
        'GET /item/VX-1\r\n',
        'Chain /** (line ',
        '  noSessionCreation: pass\r\n',
        '  tokenAuth: pass\r\n',
        '  oauth2Auth: pass\r\n',
        '  authcBasic: refuse credentials-missing 401\r\n',
        'Refused: 401 credentials-missing\r\n',
      ],
    },
  },
  {
    name: 'tells what a user would meet, whatever the password',
    as: admin,
    request: ask('/API/item', 'reader'),
    ...asText,
    status: 200,
    says: { contains: ['  authcBasic: accept reader\r\n', 'Granted to reader\r\n'] },
  },
  {
    name: 'tells of a path that needs no credentials',
    as: admin,
    request: ask('/health/live'),
    ...asText,
    status: 200,
    says: { contains: ['Chain /health/** (built in)', 'Granted to anybody'] },
  },
  {
    name: 'is a document too',
    as: admin,
    request: ask('/API/x'),
    headers: { accept: 'application/json' },
    status: 200,
    says: { contains: ['"path":"/x","pattern":"/**"', '"granted":false'] },
  },
  {
    name: 'wants a target',
    as: admin,
    request: 'GET /API/security/explain',
    status: 400,
    says: { contains: ['target'] },
  },
  { name: 'refuses what a request would be refused for', as: admin, request: ask('/a%2fb'), status: 400 },
  { name: 'is for administrators', as: reader, request: ask('/x'), status: 403 },
];

describeMatrix('S4 explain', (entry) => itHolds(entry, rows, { given: [...people] }));
