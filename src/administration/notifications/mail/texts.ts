import type { MailLanguage } from './kinds.ts';

/** Sentences of mail. Words in braces are values, which HTML has with all signs escaped. */
interface Texts {
  readonly mention: string;
  readonly assignment: string;
  readonly share: string;
  readonly review: string;
  readonly quotaNear: string;
  readonly quotaOver: string;
  readonly login: string;
  readonly confirm: string;
  /** Resources of quotas. */
  readonly items: string;
  readonly storage: string;
  /** Subject of a message that tells of several things. */
  readonly several: string;
  readonly more: string;
  readonly footer: string;
}

export type Sentence = Exclude<keyof Texts, 'items' | 'storage' | 'several' | 'more' | 'footer'>;

export const mailTexts: Readonly<Record<MailLanguage, Texts>> = {
  en: {
    mention: '{who} mentioned you in a comment on {what}.',
    assignment: '{who} gave you a comment on {what} to act on.',
    share: '{who} shared {what} with you.',
    review: '{who} asks for a review of {what}.',
    quotaNear: 'Your quota of {what} is nearly full: {used} of {limit}.',
    quotaOver: 'Your quota of {what} is exceeded: {used} of {limit}.',
    login: 'New login to your account: {place}, {time}. If this was not you, change your password.',
    confirm: 'Confirm this address of your account {name} with the code {code}. If you did not ask for it, do nothing.',
    items: 'items',
    storage: 'storage',
    several: '{count} new messages',
    more: 'And {count} more.',
    footer:
      'Your account on {service} has this address. You choose there which messages you get. Nobody reads answers.',
  },
  sv: {
    mention: '{who} nämnde dig i en kommentar till {what}.',
    assignment: '{who} gav dig en kommentar till {what} att åtgärda.',
    share: '{who} delade {what} med dig.',
    review: '{who} ber om granskning av {what}.',
    quotaNear: 'Din kvot för {what} är nästan full: {used} av {limit}.',
    quotaOver: 'Din kvot för {what} är överskriden: {used} av {limit}.',
    login: 'Ny inloggning på ditt konto: {place}, {time}. Byt lösenord om det inte var du.',
    confirm: 'Bekräfta adressen till ditt konto {name} med koden {code}. Gör ingenting om du inte bad om den.',
    items: 'objekt',
    storage: 'lagring',
    several: '{count} nya meddelanden',
    more: 'Och {count} till.',
    footer: 'Ditt konto på {service} har den här adressen. Där väljer du vilka meddelanden du får. Ingen läser svar.',
  },
};

export type Values = Readonly<Record<string, string>>;

/** Values are put in once: braces in them mean nothing. */
export const filled = (template: string, values: Values, form = (value: string): string => value): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? form(values[name]!) : whole));
