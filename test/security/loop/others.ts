import { generateKeyPairSync } from 'node:crypto';
import { startOfTime } from '../../support/clock.ts';
import { certificateOf } from '../../support/keys.ts';
import { filled, jsonList } from './bodies.ts';
import { get, json, type Load, padded } from './load.ts';

const certificate = certificateOf(generateKeyPairSync('rsa', { modulusLength: 2048 }), {
  from: new Date(startOfTime - 86_400_000),
  until: new Date(startOfTime + 86_400_000),
}).toString('base64');
const pattern = (index: number) => `"(a|b){1,40}[a-z]{50}(c|d)*${index}"`;

const auth = (list: string, entry: string, count: number): Load => ({
  title: `${count} entries of ${list}`,
  request: () =>
    json(
      'PUT /API/configuration/auth',
      jsonList(`{"expectedAudience":"a","${list}":[`, () => `"${entry}"`, ']}', count),
    ),
});

/** Entries, requests and patterns: as many of each as `cors` takes, and as many as a body holds. */
const cors = (title: string, entries: number, requests: number, patterns: number): Load => ({
  title,
  request() {
    const request = (at: number) =>
      `{"originRegex":[${Array.from({ length: patterns }, (_, index) => pattern(at * 10_000 + index)).join()}]}`;
    const entry = (at: number) =>
      `{"request":[${Array.from({ length: requests }, (_, index) => request(at * 100 + index)).join()}],"response":{"allowOrigin":"*"}}`;
    return json('PUT /API/configuration/cors', filled('{"entry":[', entry, ',', ']}', entries));
  },
});

export const wayInLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /user/:name/tokens': [get('/user/rich/tokens')],
  'DELETE /user/:name/tokens': [
    { title: 'two thousand', status: 200, request: () => ({ request: 'DELETE /API/user/rich/tokens' }) },
  ],
  'GET /user/:name/key': [get('/user/rich/key')],
  'PUT /user/:name/validate': [
    {
      title: 'the longest text',
      request: () => ({ request: 'PUT /API/user/plain/validate', headers: {}, body: 'v'.repeat(4096) }),
    },
  ],
  'PUT /configuration/auth': [
    auth('x509Certificate', certificate, 1000),
    { ...auth('x509Certificate', certificate, 100), status: 200 },
    auth('publicKey', certificate, 1000),
    auth('publicKey', 'AAAA', 1000),
  ],
  'GET /configuration/properties': [get('/configuration/properties')],
  'PUT /configuration/properties': [
    {
      title: 'the longest text',
      request: () => json('PUT /API/configuration/properties', `{"key":"a","value":"${'v'.repeat(1_000_000)}"}`),
    },
  ],
  'POST /configuration/properties': [
    {
      title: 'a full list',
      status: 200,
      request: () =>
        json(
          'POST /API/configuration/properties',
          jsonList('{"property":[', (index) => `{"key":"p${index}","value":"${'v'.repeat(200)}"}`, ']}'),
        ),
    },
  ],
  'PUT /configuration/properties/:key': [
    {
      title: 'the longest text',
      request: () => ({ request: 'PUT /API/configuration/properties/a', body: 'v'.repeat(1_000_000) }),
    },
  ],
  'PUT /configuration/cors': [
    { ...cors('as many patterns as there may be', 1, 1, 20), status: 200 },
    cors('many patterns in one request', 1, 1, 1000),
    cors('many requests', 1, 1000, 1),
    cors('many entries', 100, 1, 10),
  ],
  'GET /log': [get('/log'), get('/log?first=49000')],
};

export const operationLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /work': [get('/work')],
  'GET /selftest': [get('/selftest', 'of thousands of storages')],
  'GET /APInoauth/selftest': [
    { title: 'by nobody', status: 200, request: () => ({ request: 'GET /APInoauth/selftest' }) },
  ],
  'GET /scheduled-request': [get('/scheduled-request?all=true&number=1000')],
  'GET /security/explain': [
    get(`/security/explain?target=${encodeURIComponent(padded('/user', 'matrix').slice(0, 2_600))}`, 'a long target'),
    get(`/security/explain?target=${'/a'.repeat(4_000)}`, 'a deep target'),
  ],
  'PUT /APInoauth/debug/echo': [
    {
      title: 'as many elements as the body holds',
      request: () => ({
        request: 'PUT /APInoauth/debug/echo',
        body: `<URIListDocument>${'<uri/>'.repeat(900)}${'<a/>'.repeat(9_900)}</URIListDocument>`,
      }),
    },
  ],
};
