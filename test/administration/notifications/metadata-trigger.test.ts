import { describe, expect, it } from 'vitest';
import {
  compileWildcard,
  intervalSeconds,
  spanOf,
} from '../../../src/administration/notifications/trigger/metadata-filter.ts';
import { subscriptionsOf } from '../../../src/administration/notifications/trigger/subscriptions.ts';
import type { MetadataChange } from '../../../src/core/events/payloads.ts';
import { happened, triggers } from '../../support/declared.ts';
import { fires, notification } from './support.ts';

const change = (more: Partial<MetadataChange> = {}): MetadataChange => ({
  field: 'title',
  values: ['x'],
  start: '-INF',
  end: '+INF',
  ...more,
});

const modified = (...changes: MetadataChange[]) =>
  happened('metadata/modify', 'VX-7', { itemId: 'VX-7', changeSetId: 'VX-9', changes });

const trigger = (parameters: string) => notification(`<metadata><modify>${parameters}</modify></metadata>`);

describe('a metadata trigger fires for', () => {
  const at = (start: string, end: string) => change({ start, end });
  it.each<[parameters: string, changed: MetadataChange, fires: boolean]>([
    ['', change(), true],
    ['<field/>', change(), true],
    ['<field> , </field>', change(), true],
    ['<field>title</field>', change(), true],
    ['<field>genre, title</field>', change(), true],
    ['<field>title</field>', change({ values: [] }), true],
    ['<field>Title</field>', change(), false],
    ['<field>titl</field>', change(), false],
    ['<field>tit*</field>', change(), true],
    ['<field>genre, *le</field>', change(), true],
    ['<field>tit*</field>', change({ field: 'subtitle' }), false],

    ['<language>en*</language>', change({ language: 'en_US' }), true],
    ['<language>en*</language>', change({ language: 'en' }), true],
    ['<language>en*</language>', change({ language: 'de_EN' }), false],
    ['<language>en*</language>', change(), false],
    ['<language>*</language>', change({ language: 'de' }), true],
    ['<language>*</language>', change(), false],
    ['<language>*_CA</language>', change({ language: 'fr_CA' }), true],
    ['<language>de, fr*</language>', change({ language: 'fr_CA' }), true],
    ['<language>de, fr*</language>', change({ language: 'it' }), false],
    ['<language>none</language>', change(), true],
    ['<language>none</language>', change({ language: 'de' }), false],
    ['<language>all</language>', change(), true],
    ['<language>de,all</language>', change({ language: 'it' }), true],

    ['<track>A1</track>', change({ track: 'A1' }), true],
    ['<track>A1</track>', change({ track: 'A10' }), false],
    ['<track>A1</track>', change(), false],
    ['<track>A2-4</track>', change({ track: 'A3' }), true],
    ['<track>A2-4</track>', change({ track: 'A4' }), true],
    ['<track>A2-4</track>', change({ track: 'A5' }), false],
    ['<track>A2-4</track>', change({ track: 'V3' }), false],
    ['<track>A2-4</track>', change({ track: 'AB3' }), false],
    ['<track>A*</track>', change({ track: 'A3' }), true],
    ['<track>A*,V1</track>', change({ track: 'V1' }), true],
    ['<track>*</track>', change({ track: 'V9' }), true],
    ['<track>generic</track>', change(), true],
    ['<track>generic</track>', change({ track: 'A1' }), false],
    ['<track>all</track>', change(), true],

    ['<interval>generic</interval>', change(), true],
    ['<interval>generic</interval>', at('0', '10'), false],
    ['<interval>10-20</interval>', change(), false],
    ['<interval>10-20</interval>', at('19.9', '30'), true],
    ['<interval>10-20</interval>', at('20', '30'), false],
    ['<interval>10-20</interval>', at('0', '10'), false],
    ['<interval>10-20</interval>', at('0', '+INF'), true],
    ['<interval>10-20</interval>', at('20', '20'), true],
    ['<interval>10@PAL-20@PAL</interval>', at('15@25', '16@25'), true],
    ['<interval>10@PAL-20@PAL</interval>', at('15', '16'), false],
    ['<interval>10-+INF</interval>', at('1000', '1001'), true],
    ['<interval>-INF-10</interval>', at('9', '11'), true],
    ['<interval>-INF-+INF</interval>', change(), true],
    ['<interval>generic,10-20</interval>', at('12', '13'), true],
    ['<interval>all</interval>', change(), true],
  ])('%s and %j: %j', (parameters, changed, expected) => {
    expect(fires(trigger(parameters), modified(changed))).toBe(expected);
  });

  it('one change that satisfies everything, not several that do so together', () => {
    const sent = trigger('<field>title</field><language>en*</language>');
    const apart = modified(change({ language: 'de' }), change({ field: 'genre', language: 'en' }));
    expect(fires(sent, apart)).toBe(false);
    expect(fires(sent, modified(change({ language: 'de' }), change({ language: 'en' })))).toBe(true);
  });

  it('collections by the same parameters', () => {
    const sent = notification('<collection><metadata><modify><field>title</field></modify></metadata></collection>');
    const event = (field: string) =>
      happened('collection/metadata/modify', 'VX-5', {
        collectionId: 'VX-5',
        changeSetId: 'VX-9',
        changes: [change({ field })],
      });
    expect([fires(sent, event('title')), fires(sent, event('genre'))]).toEqual([true, false]);
  });

  it('each of its fields once, where an index looks', () => {
    expect(subscriptionsOf(triggers, trigger('<field>title, genre,title</field>'))[0]?.selectors).toEqual([
      'title',
      'genre',
    ]);
    expect(subscriptionsOf(triggers, trigger('<field>title, gen*</field>'))[0]?.selectors).toEqual(['']);
  });
});

describe('wildcards', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['**', '', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*b*b', 'ab', false],
    ['a.c', 'abc', false],
  ])('%j and %j: %j', (pattern, name, expected) => {
    expect(compileWildcard(pattern)(name)).toBe(expected);
  });
});

describe('time codes', () => {
  it.each([
    ['250@PAL', '10'],
    ['300@NTSC', '10.01'],
    ['300300@30000', '10.01'],
    ['300@NTSC30', '10'],
    ['300@30000:1001', '10.01'],
    ['900000@25', '36000'],
  ])('%s is the same time as %s', (one, other) => {
    expect(intervalSeconds(one)).toBe(intervalSeconds(other));
  });

  it.each(['', 'x', '1@', '@25', '1@FILM', '-1', '1e3', '1@25:', '0x10', ' 1'])('%j is none', (text) => {
    expect(intervalSeconds(text)).toBeNaN();
  });

  it.each(['', '10', '20-10', '10-', '-10', '10-20-30', '+INF-10', '10--INF', 'a-b', '1@0-2'])(
    '%j is no span',
    (text) => {
      expect(spanOf(text)).toBeUndefined();
    },
  );
});
