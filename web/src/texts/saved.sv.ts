import type { savedEn } from './saved.en.ts';

export const savedSv: Readonly<Record<keyof typeof savedEn, string>> = {
  'saved.title': 'Sparade sökningar',
  'saved.none': 'Ingen sökning är sparad ännu. Sök något i biblioteket och spara sökningen.',
  'saved.change': 'Ändra sökningen',
  'saved.deleted': 'Sökningen ”{name}” raderades.',
  'saved.empty': 'Sökningen hittar inget just nu.',
};
