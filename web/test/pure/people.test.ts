import { afterEach, describe, expect, it } from 'vitest';
import { releaseRoles } from '../../../test/support/declared.ts';
import { nameWords, roleWords, sentenceWords } from '../../src/components/words.ts';
import { byArea } from '../../src/pages/people/people.ts';
import { speak } from '../../src/texts/index.ts';

Object.assign(globalThis, { document: { documentElement: {} } });
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
    await speak('sv');
    expect(roleWords(role)).toBe(swedish);
  });

  it.each(['en', 'sv'] as const)('has a sentence of its own for each role of the release in %s', async (language) => {
    const english = releaseRoles.map(roleWords);
    await speak(language);
    const said = releaseRoles.map(roleWords);
    expect(said.filter((words) => words.includes('_'))).toEqual([]);
    expect(new Set(said).size).toBe(releaseRoles.length);
    // What is not translated has the words of the name of the role, as in English.
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
