import { type Key, t } from '../texts/index.ts';

const forms: readonly (readonly [end: string, text: Key])[] = [
  ['_notification_read', 'role.hears'],
  ['_notification_write', 'role.tells'],
  ['_read', 'role.sees'],
  ['_write', 'role.changes'],
];

/** What a role lets somebody do, as a sentence. Words that no language has are made of its name. */
export function roleWords(role: string): string {
  const words = new Map(
    t('role.words')
      .split(';')
      .map((pair) => pair.split(':') as [string, string]),
  );
  const own = words.get(role);
  if (own !== undefined) return own;
  const form = forms.find(([end]) => role.endsWith(end));
  if (!form) return role;
  const stem = role.slice(1, -form[0].length);
  return t(form[1], { what: words.get(stem) ?? `${stem.replaceAll('_', ' ')}s` });
}

/** A sentence of the service, with its roles in words. */
export const sentenceWords = (sentence: string): string =>
  sentence.replace(/(?<!\w)_[a-z_]+/g, (role) => {
    const words = roleWords(role);
    return words === role ? role : `“${words}”`;
  });

/** Roles are groups, too: `_administrator` is said in words, and other groups by their names. */
export const nameWords = (group: string): string => (group.startsWith('_') ? roleWords(group) : group);
