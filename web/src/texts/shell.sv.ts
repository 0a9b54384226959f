import type { shellEn } from './shell.en.ts';

export const shellSv: Readonly<Record<keyof typeof shellEn, string>> = {
  'shell.skip': 'Hoppa till sidan',
  'shell.navigation': 'Navigering',
  'shell.search': 'Sök',
  'shell.searchHint': 'Sök bland allt',
  'shell.suggestions': 'Förslag',
  'shell.person': 'Du: {name}',
  'shell.profile': 'Profil och inställningar',
  'shell.keys': 'Tangenter',
  'shell.logOut': 'Logga ut',
  'shell.offline': 'Ingen anslutning. Det du skriver finns kvar, och sidan försöker igen.',
  'shell.waiting': 'Tjänsten är upptagen. Fortsätter om {seconds|en sekund|# sekunder}.',
  'shell.noRoles': 'Du är inloggad som {name}, men har inte fått någon roll ännu.',
  'shell.askForRoles': 'Be en administratör om en grupp som har roller.',

  'nav.fields': 'Fält',
  'nav.tags': 'Formtaggar',
  'nav.group.library': 'Bibliotek',
  'nav.group.work': 'Arbete',
  'nav.group.administration': 'Administration',
  'nav.menu': 'Meny',
  'nav.library': 'Bibliotek',
  'nav.collections': 'Samlingar',
  'nav.upload': 'Uppladdningar',
  'nav.jobs': 'Jobb',
  'nav.storages': 'Lagring',
  'nav.notifications': 'Aviseringar',
  'nav.people': 'Personer',
  'nav.settings': 'Inställningar',
  'nav.health': 'Hälsa',

  'keys.title': 'Tangenter på den här sidan',
  'keys.search': 'Sök',
  'keys.help': 'Den här listan',
  'keys.go': 'Gå till {page}',

  'page.none': 'Det finns ingen sida på {path}.',
  'page.outdated': 'Portico har uppdaterats. Läs in sidan på nytt.',
  'page.again': 'Läs in på nytt',

  'login.name': 'Namn',
  'login.password': 'Lösenord',
  'login.stay': 'Förbli inloggad',
  'login.submit': 'Logga in',
  'login.wrong': 'Namnet och lösenordet stämmer inte.',
  'login.wait': 'För många försök. Vänta {seconds|en sekund|# sekunder} och försök igen.',
  'login.tls':
    'Den här adressen saknar TLS, så tjänsten låter ingen logga in här. Använd https, eller öppna sidan på dess egen maskin.',
  'login.endedTitle': 'Logga in igen',
  'login.ended':
    'Din session har avslutats. Efter inloggningen fortsätter det du gjorde, och inget du skrivit går förlorat.',
  'login.oldTitle': 'Är det fortfarande du?',
  'login.old':
    'Ändringen kräver en ny inloggning. Efter den fortsätter det du gjorde, och inget du skrivit går förlorat.',
  'login.over': 'Det tog för lång tid. Logga in igen.',
  'login.other': 'Logga in som någon annan',
  'login.linkOver':
    'Länken har använts, eller så är dess halvtimme över. Logga in med lösenordet som starten skrev ut.',
};
