/** Counters of rows with a user and without: the sweep asks for both every minute. */
export const auditSchema: readonly string[] = [
  `INSERT INTO counter (name, value) VALUES ('audit of users', 0), ('audit of others', 0)`,
  `CREATE TRIGGER audit_made AFTER INSERT ON audit BEGIN
       UPDATE counter SET value = value + 1 WHERE name = iif(NEW.user IS NULL, 'audit of others', 'audit of users');
     END`,
  `CREATE TRIGGER audit_gone AFTER DELETE ON audit BEGIN
       UPDATE counter SET value = value - 1 WHERE name = iif(OLD.user IS NULL, 'audit of others', 'audit of users');
     END`,
];
