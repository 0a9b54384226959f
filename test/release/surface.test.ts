import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { programVersion } from '../../src/core/lib/version.ts';
import { all } from '../security/roles/routes.ts';
import { differencesOf, type Surface } from './compare.ts';
import { surfaceOf } from './surface.ts';

const folder = 'test/release/surfaces';
const now = surfaceOf(all);

const without = (fact: string): Surface => {
  expect(now.promises).toContain(fact);
  return { ...now, promises: now.promises.filter((each) => each !== fact) };
};

describe('what others rely on', () => {
  it.each([
    'call GET /item/:item',
    'call GET /item | takes number: integer',
    'call GET /item/:item | answers ItemDocument',
    'call GET /item/:item | answers 200',
    'call GET /item/:item | produces text/plain',
    'call PUT /item | reads ItemSearchDocument',
    'document UserType | userName: string',
    'xsd UserType | element userName: xs:string',
    'xsd UserType | attribute disabled: xs:boolean',
    'event item/create',
    'event item/create | action=CREATE',
    'event item/create | "itemId"',
    'setting PORTICO_MAX_PAGE',
    'error not-authenticated | 401 notAuthorized',
    'role _item_read',
    'command backup',
    'command serve | --port',
    'command check | Exits with 1 if there is an error',
    'component portico.TokenFilter | enabled',
    'contract Account | readonly name: string;',
    'contract ActionCall | extends ActionElement',
    'portico/spi Realm',
    'module portico/spi',
  ])('a release without "%s" breaks', (fact) => {
    const before = now;
    expect(differencesOf(before, without(fact)).breaks).toEqual([`gone: ${fact}`]);
    expect(differencesOf(without(fact), now)).toEqual({ breaks: [], additions: [`new: ${fact}`] });
  });

  it.each([
    'call GET /item/:item | READ on item',
    'call DELETE /collection | _collection_write',
    'call DELETE /collection | id',
    'document AccessControlMergedAccessType | type',
    'contract StorageDriver | check(signal?: AbortSignal): Promise<StorageStatus>;',
  ])('a release that newly demands "%s" breaks, and one that no longer demands it does not', (demand) => {
    const [subject] = demand.split(' | ');
    expect(now.demands).toContain(demand);
    const less = { ...now, demands: now.demands.filter((each) => each !== demand) };
    expect(differencesOf(less, now).breaks).toEqual([`demanded: ${demand}`]);
    expect(differencesOf(now, less)).toEqual({ breaks: [], additions: [`no longer demanded: ${demand}`] });
    const before = { ...less, promises: less.promises.filter((each) => !each.startsWith(subject!)) };
    expect(differencesOf(before, now).breaks).toEqual([]);
  });

  it('a call that is gone is told once, without all that was said of it', () => {
    const call = 'call GET /item/:item';
    const gone = now.promises.filter((each) => each !== call && !each.startsWith(`${call} |`));
    expect(differencesOf(now, { ...now, promises: gone }).breaks).toEqual([`gone: ${call}`]);
  });

  it.each(readdirSync(folder))('keeps all of %s until the next major version', (name) => {
    const before: Surface = JSON.parse(gunzipSync(readFileSync(`${folder}/${name}`)).toString());
    expect(before.promises.length).toBeGreaterThan(10_000);
    const [major] = programVersion.split('.');
    if (major !== '0' && name.startsWith(`${major}.`)) expect(differencesOf(before, now).breaks).toEqual([]);
  });
});
