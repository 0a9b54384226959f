import type { guestEn } from './guest.en.ts';

export const guestSv: Readonly<Record<keyof typeof guestEn, string>> = {
  'guest.title': 'Delat med dig',
  'guest.gone': 'Länken är inte öppen. Den kan ha gått ut: fråga den som skickade den.',
  'guest.name': 'Ditt namn',
  'guest.password': 'Länkens lösenord',
  'guest.open': 'Öppna',
  'guest.wrong': 'Det är inte lösenordet.',
  'guest.wait': 'För många försök. Försök igen om en stund.',
  'guest.failed': 'Tjänsten svarar inte. Försök igen.',
  'guest.untitled': 'Utan titel',
  'guest.back': 'Tillbaka till alla',
  'guest.more': 'Visa fler',
  'guest.download': 'Ladda ner {tag}, {size}',
  'guest.nothing': 'Det finns inget att se ännu.',
  'guest.drop': 'Släpp filer här, eller välj några',
  'guest.left': '{files} filer och {size} återstår.',
  'guest.sent': '{name} har kommit fram.',
  'guest.full': '{name} är för mycket för den här länken.',
  'guest.sending': 'Skickar {name} …',
};
