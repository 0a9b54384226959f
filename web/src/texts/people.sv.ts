import type { peopleEn } from './people.en.ts';

export const peopleSv: Readonly<Record<keyof typeof peopleEn, string>> = {
  'people.users': 'Användare',
  'people.groups': 'Grupper',
  'people.group': 'Grupp',
  'people.children': 'Grupper i den',
  'people.parents': 'Den ingår i grupperna',
  'people.none': 'Ingen',
  'people.makeUser': 'Skapa en användare',
  'people.makeGroup': 'Skapa en grupp',
  'people.description': 'Beskrivning',
  'people.change': 'Ändra',
  'people.keepPassword': 'Lämnas det tomt behålls lösenordet.',
  'people.disabled': 'Avstängd',
  'people.disable': 'Stäng av',
  'people.disableQuestion': 'Stänga av {name}? Sessioner och token avslutas.',
  'people.enable': 'Släpp in igen',
  'people.deleteQuestion': 'Ta bort gruppen {name}? Dess medlemmar förlorar dess roller.',
  'people.from': 'från {groups}',
  'people.explain': 'Vad {user} får göra, och varför',
  'people.seenTitle': 'Vem som ser nya objekt',
  'people.willSeeNothing': 'Utan grupp har användaren inga rättigheter och ser ingenting.',
  'people.willSeeNew':
    'Ser nya objekt, som medlem av {groups}. Äldre objekt behöver egen åtkomst, eller genom en samling.',
  'people.willSeeShared': 'Ser bara objekt och samlingar som delas med användaren eller med {group}.',
};
