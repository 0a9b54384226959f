import type { peopleEn } from './people-en.ts';

/** Texts of users and groups. */
export const peopleSv: Readonly<Record<keyof typeof peopleEn, string>> = {
  'people.users': 'Användare',
  'people.groups': 'Grupper',
  'people.group': 'Grupp',
  'people.children': 'Grupper i den',
  'people.parents': 'Den ingår i grupperna',
  'people.none': 'Ingen',
  'people.makeUser': 'Skapa en användare',
  'people.makeGroup': 'Skapa en grupp',
  'people.taken': 'Det finns redan en grupp {name}.',
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
  'people.sees': 'Se {what}',
  'people.changes': 'Ändra {what}',
  'people.hears': 'Se aviseringar för {what}',
  'people.tells': 'Ändra aviseringar för {what}',
  'people.words':
    '_administrator:Allt;_event_read_all:Se alla händelser;_export:Exportera media;_import:Importera media;_item_search:Söka;_item_uri:Se adresserna till objekts filer;_runas:Handla för andra;_user:Logga in;accesscontrol:åtkomst;auto_projection:autoprojektioner;collection:samlingar;configuration:konfigurationen;deletion_lock:raderingslås;document:dokument;event:händelser;file:filer;group:grupper;item:objekt;item_id:andra id för objekt;item_shape:objekts former;job:jobb;library:bibliotek;metadata:metadata;metadata_dataset:datamängder;metadata_field:fält;metadata_field_group:fältgrupper;metadata_global:globala metadata;metadata_lock:metadatalås;placeholder:platshållare;projection:projektioner;quota:kvoter;resource:resurser;sequence:sekvenser;shape:former;shape_tag:formtaggar;site_rule:platsregler;storage:lagringar;storage_group:lagringsgrupper;storage_rule:lagringsregler;taskdefinition:steg i jobb;thumbnail:miniatyrer;user:användare;user_metadata:egna metadata;vxa:agenter',
};
