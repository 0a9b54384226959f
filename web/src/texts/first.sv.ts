import type { firstEn } from './first.en.ts';

export const firstSv: Readonly<Record<keyof typeof firstEn, string>> = {
  'first.title': 'Kom igång med Portico',
  'first.lead': 'Fyra steg till den första filmen.',
  'first.over': 'Portico är klart: det finns en lagring.',
  'first.password': 'Ditt lösenord',
  'first.passwordHint': 'Minst {least} tecken. Det ersätter det som starten skrev ut.',
  'first.showPassword': 'Visa lösenordet',
  'first.next': 'Gå vidare',
  'first.setPassword': 'Byt lösenordet',
  'first.keepPassword': 'Behåll det utskrivna',
  'first.storage': 'En plats för filer',
  'first.folder': 'Mappens adress',
  'first.folderHint': 'En mapp på tjänstens maskin, under någon av dem i inställningen PORTICO_STORAGE_ROOTS.',
  'first.makeStorage': 'Skapa lagringen',
  'first.alsoMakes':
    'Förinställningar, grupperna viewer, editor, librarian och operator och fälten Beskrivning, Nyckelord, Betyg och Kommentar skapas samtidigt.',
  'first.ready': 'Den första filmen',
  'first.withTranscoder': 'En omkodare finns: det du laddar upp får miniatyrer och format för webben.',
  'first.withoutTranscoder': 'Ingen omkodare finns, så miniatyrer väntar tills en är installerad, till exempel ffmpeg.',
  'first.upload': 'Ladda upp',
};
