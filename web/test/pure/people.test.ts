import { afterEach, describe, expect, it } from 'vitest';
import { releaseRoles } from '../../../test/support/declared.ts';
import { nameWords, roleWords, sentenceWords } from '../../src/components/words.ts';
import { bundles, changeOf, chosen, namesOf, statesOf } from '../../src/pages/people/bundles.ts';
import { byArea } from '../../src/pages/people/people.ts';
import { en } from '../../src/texts/en.ts';
import { speak } from '../../src/texts/index.ts';
import common from '../../src/texts/sv/common.json' with { type: 'json' };

Object.assign(globalThis, { document: { documentElement: {} }, navigator: { languages: ['en'] } });
const readSwedish = async () => Object.keys(en).map((key) => common[key as keyof typeof common] ?? null);
afterEach(() => speak('en'));

it('says roles within names and sentences of the service in words, and leaves other names', () => {
  expect(['_administrator', 'film_makers'].map(nameWords)).toEqual(['Everything', 'film_makers']);
  expect(sentenceWords('"ann" has the role _administrator, not film_makers or _no')).toBe(
    '"ann" has the role “Everything”, not film_makers or _no',
  );
});

describe('roles as sentences', () => {
  it.each([
    ['_collection_read', 'See collections', 'Se samlingar'],
    ['_library_write', 'Change libraries', 'Ändra bibliotek'],
    ['_job_notification_read', 'See notifications for jobs', 'Se aviseringar för jobb'],
    ['_administrator', 'Everything', 'Allt'],
    ['_a_new_thing_write', 'Change a new things', 'Ändra a new things'],
    ['of a plugin', 'of a plugin', 'of a plugin'],
  ])('says %s', async (role, english, swedish) => {
    expect(roleWords(role)).toBe(english);
    await speak('sv', readSwedish);
    expect(roleWords(role)).toBe(swedish);
  });

  it.each(['en', 'sv'] as const)('has a sentence of its own for each role of the release in %s', async (language) => {
    const english = releaseRoles.map(roleWords);
    await speak(language, readSwedish);
    const said = releaseRoles.map(roleWords);
    expect(said.filter((words) => words.includes('_'))).toEqual([]);
    expect(new Set(said).size).toBe(releaseRoles.length);
    // A role without a translation keeps the words of its name, as in English.
    const ends = (text: string) => text.split(' ').slice(1).join(' ');
    const bare = said.filter(
      (words, at) =>
        /_(?:read|write)$/.test(releaseRoles[at]!) &&
        ends(words) === ends(english[at]!) &&
        !words.endsWith(' metadata'),
    );
    if (language === 'sv') expect(bare).toEqual([]);
  });

  it('puts each role in one part', () => {
    const parts = byArea(releaseRoles);
    expect(parts.flatMap(([, roles]) => roles).toSorted()).toEqual([...releaseRoles].toSorted());
    expect(Object.fromEntries(parts)['nav.storages']).toContain('_storage_rule_write');
    expect(byArea(['_item_read']).map(([title]) => title)).toEqual(['nav.library']);
  });
});

describe('the bundles of rights', () => {
  /** Everything, acting for others, machines, and notifications, which call other machines. */
  const rest =
    /^_(?:administrator|runas|scim|runner|usage_override|event_read_all|user_metadata_write|\w+_notification_(?:read|write))$/;

  it('have each role of this release once, or leave it to the rest', () => {
    const bundled = bundles.flatMap(([, roles]) => roles);
    expect(
      releaseRoles.filter((role) => bundled.filter((each) => each === role).length !== (rest.test(role) ? 0 : 1)),
    ).toEqual([]);
    expect(bundled.filter((role) => !releaseRoles.includes(role))).toEqual([]);
  });

  it('are on, off, or in part, and fixed where another group gives all of it', () => {
    const offered = ['_share_read', '_share_write', '_import', '_export'];
    const states = statesOf(offered, new Set(['_share_read', '_import']), new Set(['_import']));
    expect(states.map(({ name, has, roles, isFixed }) => [name, has, roles.length, isFixed])).toEqual([
      ['share', 1, 2, false],
      ['upload', 1, 1, true],
      ['export', 0, 1, false],
    ]);
  });

  it('make one change of what differs, and name a whole bundle or single roles', () => {
    const before = new Set(['_import', '_share_read']);
    const after = chosen(
      before,
      new Map([
        ['_annotation_write', true],
        ['_import', false],
      ]),
    );
    const change = changeOf(before, after);
    expect(change).toEqual({ add: ['_annotation_write'], remove: ['_import'] });
    const states = statesOf(releaseRoles, after, new Set());
    expect([namesOf(change.add, states), namesOf(change.remove, states)]).toEqual([['comment'], ['upload']]);
    const part = new Set(['_share_read']);
    expect(namesOf(['_share_read'], statesOf(releaseRoles, part, new Set()))).toEqual(['_share_read']);
  });
});
