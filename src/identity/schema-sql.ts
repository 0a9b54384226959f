export const identitySchema: readonly string[] = [
  `INSERT INTO counter (name, value) VALUES ('users', 0), ('users-disabled', 0), ('groups', 0), ('group-graph', 0)`,
  // A trigger, so that no program that changes a user can forget it.
  `CREATE TRIGGER user_ends_tokens AFTER UPDATE OF password_version, enabled ON user
       WHEN new.password_version <> old.password_version OR new.enabled < old.enabled
       BEGIN DELETE FROM token WHERE user_id = new.id OR actor_id = new.id; END`,
];
