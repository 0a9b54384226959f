import type { Component, Host, PropertyTable, SearchEngine, SecretText } from '../../../src/spi/index.ts';
import { createClient, type EngineLogin } from './client.ts';
import { createFeed } from './feed.ts';
import { createIndexes } from './indexes.ts';
import { canAnswer } from './limits.ts';
import { createSearch } from './search.ts';

interface Properties {
  readonly url: string | URL;
  readonly index: string;
  readonly user?: string;
  readonly password?: SecretText;
  readonly token?: SecretText;
  readonly accessKey?: string;
  readonly secretKey?: SecretText;
  readonly region?: string;
  readonly service: string;
  readonly shards: number;
  readonly replicas: number;
  readonly timeout: number;
  readonly batchBytes: number;
}

const between = (least: number, max: number) => (value: number) =>
  value >= least && value <= max ? undefined : `Expected a whole number from ${least} to ${max}`;

const properties: PropertyTable = {
  url: { type: 'url', required: true, says: 'Address of OpenSearch, such as https://search.example.com:9200.' },
  index: {
    type: 'string',
    fallback: 'portico',
    says: 'Name of the index. Each service needs one of its own.',
    check: (name: string) =>
      /^[a-z][a-z0-9_-]{0,99}$/.test(name)
        ? undefined
        : 'Expected lower-case letters, digits, "-" and "_", with a letter first',
  },
  user: { type: 'string', says: 'User of OpenSearch.' },
  password: { type: 'secret', says: 'Password of the user.' },
  token: { type: 'secret', says: 'Bearer token instead of a user.' },
  accessKey: { type: 'string', says: 'AWS access key instead of a user.' },
  secretKey: { type: 'secret', says: 'Secret of the access key.' },
  region: { type: 'string', says: 'AWS region of the access key, such as eu-west-1.' },
  service: {
    type: { choice: ['es', 'aoss'] },
    fallback: 'es',
    says: 'AWS service of the access key: es for a domain, aoss for a serverless collection.',
  },
  shards: {
    type: 'integer',
    fallback: 1,
    says: 'Number of shards of the next index: one for each 20 million items.',
    check: between(1, 100),
  },
  replicas: {
    type: 'integer',
    fallback: 0,
    says: 'Number of further copies of the next index.',
    check: between(0, 10),
  },
  timeout: { type: 'duration', fallback: 30_000, says: 'Maximum time of one request.' },
  batchBytes: {
    type: 'integer',
    fallback: 5 * 1024 * 1024,
    says: 'Maximum size in bytes of a request with changes. A larger document is sent alone.',
    check: between(10_000, 90_000_000),
  },
};

function loginOf({ user, password, token, accessKey, secretKey, region, service }: Properties): EngineLogin {
  const ways = [user ?? password, token, accessKey ?? secretKey].filter((each) => each !== undefined);
  if (ways.length > 1) throw new Error('Expected one login: user and password, token, or accessKey and secretKey');
  if (user !== undefined && password !== undefined) return { is: 'basic', user, password };
  if (user !== undefined || password !== undefined) throw new Error('Expected user and password');
  if (token !== undefined) return { is: 'bearer', token };
  if (accessKey === undefined && secretKey === undefined) return { is: 'none' };
  if (accessKey === undefined || secretKey === undefined || region === undefined)
    throw new Error('Expected accessKey, secretKey and region');
  return { is: 'signature', accessKey, secretKey, region, service };
}

/** Searches metadata with OpenSearch 2 or 3. */
export const openSearchEngine: Component<SearchEngine> = {
  says: 'Answers searches with OpenSearch 2 or 3, beside the database.',
  properties,
  create(given: Properties, host: Host): SearchEngine {
    const { index, shards, replicas, timeout, batchBytes } = given;
    const address = new URL(given.url);
    if (address.username !== '' || address.password !== '' || address.search !== '' || address.hash !== '')
      throw new Error('Expected an address without login, query and fragment as url');
    const base = address.href.replace(/\/+$/, '');
    const client = createClient(host, { base, timeout, login: loginOf(given) });
    const indexes = createIndexes(client, host.now, { alias: index, shards, replicas });
    const feed = createFeed(client, indexes, index, batchBytes);
    return {
      name: `opensearch:${index}`,
      state: (isBrief) => indexes.state(isBrief),
      begin: () => indexes.begin(),
      finish: () => indexes.finish(),
      apply: (batch) => feed.apply(batch),
      can: canAnswer,
      ...createSearch(client, indexes, { timeout, digest: host.digest }),
    };
  },
};
