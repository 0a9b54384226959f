import { describe, expect, it } from 'vitest';
import {
  documentOrText,
  documentTypes,
  errorType,
  type MediaType,
  preferred,
  textOnly,
} from '../../src/http/negotiation.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const xml = 'application/xml';
const json = 'application/json';
const text = 'text/plain';

/** Accept, and what of XML and JSON is chosen. */
const choices: readonly (readonly [string | null, MediaType | undefined])[] = [
  [null, xml],
  ['', xml],
  ['  ', xml],
  ['*/*', xml],
  [xml, xml],
  [json, json],
  ['text/xml', xml],
  ['text/json', json],
  ['APPLICATION/JSON', json],
  ['application/*', xml],
  [`${json}, ${xml}`, json],
  [`${xml}, ${json}`, xml],
  // axios, Angular, Java's URLConnection, browsers.
  ['application/json, text/plain, */*', json],
  ['*/*, application/json', json],
  ['application/*, application/json', json],
  ['application/json;q=0.5, application/*;q=0.5', json],
  ['application/json;q=0.4, */*;q=0.5', xml],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', xml],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', xml],
  [`${json};q=0.9, ${xml};q=0.8`, json],
  [`${xml};q=0.5, ${json}`, json],
  [`${xml};q=0, */*`, json],
  [`${xml};q=0, application/*;q=0.5`, json],
  ['*/*;q=0.1, application/json;q=0.2', json],
  [`${json};q=0.2, */*;q=0.1`, json],
  [`${json};q=0, ${xml};q=0`, undefined],
  ['*/*;q=0', undefined],
  [text, undefined],
  ['text/*', undefined],
  ['image/png', undefined],
  ['image/png, */*;q=0.1', xml],
  ['application/json; charset=utf-8', json],
  ['application/json;v=1;q=0.5, application/xml;q=0.4', json],
  ['application/json ; q=0.5', json],
  [`${json};q=x`, json],
  [`${json};q=`, json],
  [`${json};q=7`, json],
  [`${json};q=-1`, json],
  [`${json};q=NaN`, json],
  [',,,', undefined],
  ['application/json,', json],
  ['__proto__', undefined],
  ['*', 'application/xml'],
  [`${'a/b,'.repeat(2000)}${json}`, json],
];

describe('preferred', () => {
  it.each(choices)('%j chooses %j', (accept, expected) => {
    expect(preferred(accept, documentTypes)).toBe(expected);
  });

  it.each([
    ['application/json, text/plain, */*', json],
    ['text/plain, application/json, */*', text],
    ['text/plain, */*', text],
    ['text/*, */*', text],
    ['application/xml, text/csv', xml],
    ['*/*', xml],
  ])('of documents and text, %j chooses %j', (accept, expected) => {
    expect(preferred(accept, documentOrText)).toBe(expected);
  });

  it.each([
    [null, text],
    ['text/*', text],
    ['*/*', text],
    [xml, undefined],
  ])('of text only, %j chooses %j', (accept, expected) => {
    expect(preferred(accept, textOnly)).toBe(expected);
  });
});

describe('errorType', () => {
  it.each<[string | null, readonly MediaType[] | undefined, MediaType]>([
    [null, undefined, xml],
    [null, textOnly, text],
    [null, [], xml],
    [json, textOnly, json],
    [text, documentTypes, text],
    ['image/png', documentTypes, xml],
    ['image/png', textOnly, text],
    ['*/*', [json], json],
    ['application/problem+json', undefined, 'application/problem+json'],
    ['application/problem+xml', [json], 'application/problem+xml'],
    [`${json}, application/problem+json`, undefined, 'application/problem+json'],
    [`${json}, application/problem+json;q=0.5`, undefined, json],
    [`${json}, application/problem+json;q=0`, undefined, json],
    [`${text}, application/problem+json`, undefined, 'application/problem+json'],
    ['application/json, text/plain, */*', undefined, json],
    ['application/json, text/plain, */*', textOnly, json],
    ['application/*', undefined, xml],
  ])('%j at a resource of %j is told in %j', (accept, offered, expected) => {
    expect(errorType(accept, offered)).toBe(expected);
  });
});

const asked = (request: string, accept?: string): Pick<Scenario, 'as' | 'request' | 'headers'> => ({
  as: admin,
  request,
  ...(accept === undefined ? {} : { headers: { accept } }),
});

const rows: readonly Scenario[] = [
  {
    name: 'answers XML with a charset',
    ...asked('GET /API/version', xml),
    status: 200,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
    says: { contains: ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?><VersionDocument'] },
  },
  {
    name: 'answers JSON without one',
    ...asked('GET /API/version', json),
    status: 200,
    answers: { 'content-type': 'application/json' },
  },
  {
    name: 'answers text with one',
    ...asked('GET /API/version', text),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { contains: ['API\t', '\r\n'] },
  },
  {
    name: 'refuses what it cannot produce with 406, and says what it can',
    ...asked('GET /API/version', 'image/png'),
    status: 406,
    answers: { 'content-type': 'application/xml; charset=UTF-8', 'portico-error': 'not-acceptable' },
    says: { contains: ['application/xml or application/json or text/plain', 'header Accept', 'image/png'] },
  },
  {
    name: 'refuses before it changes anything',
    ...asked('POST /API/user', 'image/png'),
    body: { userName: 'bob' },
    status: 406,
  },
  {
    name: 'does not mind what is accepted where there is nothing to answer with',
    ...asked('PUT /API/group/crew', 'image/png'),
    status: 200,
    events: [['group/create', 'crew']],
  },
  ...[json, 'application/xml'].map((accept) => ({
    name: `speaks text at a text resource, also to who asks for ${accept}`,
    ...asked('GET /API/whoami', accept),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: 'admin' },
  })),
  {
    name: 'sets no cookie, and nothing by which an answer could be kept',
    ...asked('GET /API/whoami'),
    status: 200,
    answers: { 'set-cookie': null, etag: null, 'last-modified': null, expires: null },
  },
];

describeMatrix('negotiation', (entry) => itHolds(entry, rows));
