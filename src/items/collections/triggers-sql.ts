/** Triggers for versions and sizes of collections and libraries. */
export const memberTriggers: readonly string[] = [
  `CREATE TRIGGER collection_member_added AFTER INSERT ON collection_member BEGIN
       UPDATE collection SET version = version + 1, members = members + 1,
           items = items + (NEW.member_type = 'item'), collections = collections + (NEW.member_type = 'collection')
         WHERE id = NEW.collection_id;
     END`,
  `CREATE TRIGGER collection_member_removed AFTER DELETE ON collection_member BEGIN
       UPDATE collection SET version = version + 1, members = members - 1,
           items = items - (OLD.member_type = 'item'), collections = collections - (OLD.member_type = 'collection')
         WHERE id = OLD.collection_id;
     END`,
  `CREATE TRIGGER collection_member_moved AFTER UPDATE OF position ON collection_member BEGIN
       UPDATE collection SET version = version + 1 WHERE id = NEW.collection_id;
     END`,
  `CREATE TRIGGER library_item_added AFTER INSERT ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items + 1 WHERE id = NEW.library_id;
     END`,
  `CREATE TRIGGER library_item_removed AFTER DELETE ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items - 1 WHERE id = OLD.library_id;
     END`,
];
