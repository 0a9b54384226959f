import type { exportsEn } from './exports.en.ts';

export const exportsSv: Readonly<Record<keyof typeof exportsEn, string>> = {
  'exports.title': 'Exportplatser',
  'exports.make': 'Skapa en plats',
  'exports.none': 'Det finns ingen exportplats. Skapa en, så kan objekt exporteras till dess mapp.',
  'exports.name': 'Namn',
  'exports.taken': 'Det finns en plats med det namnet.',
  'exports.uri': 'Mappens adress',
  'exports.uriHint': 'Med ett snedstreck i slutet',
  'exports.tags': 'Formtaggar',
  'exports.lines': 'En per rad',
  'exports.projection': 'Projektion av metadata',
  'exports.script': 'Skript',
  'exports.scriptHint': 'JavaScript: värdet av den sista satsen är filens namn',
};
