import type { tagsEn } from './tags.en.ts';

export const tagsSv: Readonly<Record<keyof typeof tagsEn, string>> = {
  'tags.make': 'Skapa en formtagg',
  'tags.makeHint': 'Den börjar med en förinställning för MP4.',
  'tags.deleteQuestion': 'Ta bort formtaggen {tag}? Formerna behåller den.',
  'tags.preset': 'Förinställning, som JSON',
  'tags.noJson': 'JSON väntades.',
  'tags.script': 'Skript',
  'tags.scriptHint': 'Körs före varje omkodning och kan ändra förinställningen.',
  'tags.copies': 'Lagringar som måste ha varje fil',
  'tags.format': 'Format',
  'tags.video': 'Video',
  'tags.audio': 'Ljud',
};
