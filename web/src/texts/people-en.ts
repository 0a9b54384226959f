/** Texts of users and groups. */
export const peopleEn = {
  'people.users': 'Users',
  'people.groups': 'Groups',
  'people.group': 'Group',
  'people.children': 'Groups in it',
  'people.parents': 'It is in the groups',
  'people.none': 'None',
  'people.makeUser': 'Make a user',
  'people.makeGroup': 'Make a group',
  'people.taken': 'There is a group {name} already.',
  'people.description': 'Description',
  'people.change': 'Change',
  'people.keepPassword': 'Left empty, the password stays.',
  'people.disabled': 'Disabled',
  'people.disable': 'Disable',
  'people.disableQuestion': 'Disable {name}? Sessions and tokens end.',
  'people.enable': 'Enable',
  'people.deleteQuestion': 'Delete the group {name}? Its members lose its roles.',
  'people.from': 'from {groups}',
  'people.explain': 'What {user} may do, and why',
  'people.sees': 'See {what}',
  'people.changes': 'Change {what}',
  'people.hears': 'See notifications for {what}',
  'people.tells': 'Change notifications for {what}',
  // Roles as whole sentences, and names of entities that are not their English name with an s.
  'people.words':
    '_administrator:Everything;_event_read_all:See events of all entities;_export:Export media;_import:Import media;_item_search:Search;_item_uri:See the addresses of files of items;_runas:Act for other users;_user:Log in;accesscontrol:access entries;configuration:the configuration;item_id:other ids of items;item_shape:the shapes of an item;library:libraries;metadata:metadata;metadata_global:global metadata;taskdefinition:task definitions;user_metadata:own metadata',
} as const;
