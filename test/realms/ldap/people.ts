export const people = 'ou=people,dc=example,dc=org';
export const groups = 'ou=groups,dc=example,dc=org';
export const reader = { dn: 'cn=reader,dc=example,dc=org', password: 'reads all' };

const person = (uid: string, attributes: Record<string, string | readonly string[]>) => ({
  dn: `uid=${uid},${people}`,
  attributes: { objectclass: ['person'], uid, ...attributes },
});

const group = (cn: string, member: readonly string[]) => ({
  dn: `cn=${cn},${groups}`,
  attributes: { objectclass: ['groupOfNames'], cn, member },
});

export const entries = [
  person('alice', {
    cn: 'Alice Liddell',
    mail: 'alice@example.org',
    memberOf: [`cn=Editors\\, all,${groups}`, `cn=staff,${groups}`],
  }),
  person('bob', { cn: 'Bob', mail: ['bob@example.org', 'robert@example.org'] }),
  person('twin', { cn: 'One', employeenumber: '1' }),
  { dn: `cn=other,${people}`, attributes: { objectclass: ['person'], uid: 'twin', cn: 'other' } },
  { dn: `cn=nameless,${people}`, attributes: { objectclass: ['person'], cn: 'nameless', mail: 'nobody@example.org' } },
  group('editors', [`uid=alice,${people}`]),
  group('viewers', [`uid=alice,${people}`, `uid=bob,${people}`]),
] as const;

export const passwords: ReadonlyMap<string, string> = new Map([
  [reader.dn, reader.password],
  [`uid=alice,${people}`, "alice's own"],
  [`uid=bob,${people}`, "bob's own"],
  [`uid=twin,${people}`, 'twin'],
  [`cn=other,${people}`, 'twin'],
  [`cn=nameless,${people}`, 'nameless'],
]);
