import { filled, jsonList } from './bodies.ts';
import { get, json, type Load } from './load.ts';

const users = '/scim/v2/Users';
const groups = '/scim/v2/Groups';
const condition = (value: string) => `emails.value sw "${value}"`;
/** As many conditions as a filter of the longest length has, on a user who is there. */
const filter = encodeURIComponent(
  `id eq "L-1" and (${Array.from({ length: 60 }, (_, at) => condition(`a${at}`)).join(' or ')})`,
);
const members = (from: number, count: number) => jsonList('[', (at) => `{"value":"L-${from + at}"}`, ']', count);
/** Values of one operation of as many as a body of the longest size has room for. */
const mails = (operation: number) => jsonList('[', (at) => `{"value":"${operation}.${at}"}`, ']', 50);

const long = Array.from({ length: 115 }, () => 'value sw \\"x\\"').join(' or ');
const operationsWithFilters = Array.from(
  { length: 55 },
  () => `{"op":"remove","path":"emails[${long}].display"}`,
).join();

const operations = (
  target: string,
  count: number,
  does: string,
  operation: (at: number) => string,
  status = 200,
): Load => ({
  title: `${count} operations that ${does}`,
  status,
  request: () => json(`PATCH /API${target}`, filled('{"Operations":[', operation, ',', ']}', count)),
});

/** By route, what is costlier than long parameters and hostile documents. */
export const scimLoads: Readonly<Record<string, readonly Load[]>> = {
  [`GET ${users}`]: [
    get(`${users}?startIndex=29000&count=100`),
    get(`${users}?sortBy=meta.lastModified&sortOrder=descending&startIndex=29000&count=100`),
    get(`${users}?filter=${encodeURIComponent('meta.lastModified ge "1970-01-01T00:00:00Z"')}`, 'all that changed'),
    get(`${users}?filter=${filter}`, 'the longest filter'),
    get(`${users}?filter=${encodeURIComponent(`${'('.repeat(1000)}`)}`, 'brackets that stay open', 400),
  ],
  [`GET ${groups}`]: [get(`${groups}?startIndex=1000&count=100`)],
  [`PATCH ${users}/:user`]: [
    operations(`${users}/L-1`, 120, 'add values', (at) => `{"op":"add","path":"emails","value":${mails(at)}}`, 400),
    operations(`${users}/L-1`, 120, 'replace values', (at) => `{"op":"replace","path":"emails","value":${mails(at)}}`),
    operations(
      `${users}/L-1`,
      1000,
      'choose by filters',
      (at) => `{"op":"replace","path":"phoneNumbers[type eq \\"work\\"].value","value":"${at}"}`,
    ),
    // As long as a body of a user may be, each.
    {
      title: 'fifty values and 110 KB of filters over them',
      status: 200,
      request: () =>
        json(
          `PATCH /API${users}/L-1`,
          `{"Operations":[{"op":"replace","path":"emails","value":${mails(0)}},${operationsWithFilters}]}`,
        ),
    },
    {
      title: '12,000 names of attributes that nobody has',
      status: 200,
      request: () =>
        json(
          `PATCH /API${users}/L-1`,
          `{"Operations":[{"op":"replace","value":${jsonList('{', (at) => `"a${at}":1`, '}', 12_000)}}]}`,
        ),
    },
    {
      title: 'as many values in values as fit',
      status: 400,
      request: () => json(`PATCH /API${users}/L-1`, `{"Operations":${'['.repeat(60_000)}${']'.repeat(60_000)}}`),
    },
  ],
  [`PUT ${groups}/:group`]: [
    {
      title: 'as many members as there may be',
      status: 200,
      request: () => json(`PUT /API${groups}/L-2`, `{"displayName":"group-00002","members":${members(1, 20_000)}}`),
    },
  ],
  [`PATCH ${groups}/:group`]: [
    operations(
      `${groups}/L-3`,
      1000,
      'add and remove members',
      (at) => `{"op":"${at % 2 ? 'add' : 'remove'}","path":"members","value":${members(at % 100, 40)}}`,
      204,
    ),
  ],
};
