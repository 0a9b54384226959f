/**
 * Hashes of the first schemas by their names, as the first release made them: each database has them. The tables have
 * changed since by migrations. `npm run release:keep` writes this file.
 */
export const releasedHashes: Readonly<Record<string, string>> = {
  schema: '2e90d9dc5deda3e31df40bdaac8a1c656034d70b9c25ae9e77d8d2d94f2ebde4',
  'schema of export-templates': 'ed0beeb0d21a9b92fa0296093ea3bc5976da7dda6d2567cde8dd11179a5adadb',
  'schema of fixity': 'b779173e63052cca60fafd2eb89a26538a35901ab98b398f1db30389f177bf5e',
  'schema of logins': 'f69a49f90062f96568f09d7f6e86fbdd5bf18168de25a63a434db1cae0e61e77',
  'schema of loudness': '01d6439e915f7e2e3996b73d6c14ae2f64e8bd7f4a61c7549c193b50a67a134a',
  'schema of metadata-tables': '8912b1289a37bb855967a10d131a1af4e9f18d2bce44c6ca4ac70c6a8cb7371d',
  'schema of review': 'e5e45336759c3f68ead8e0a62ee1f056f9d951ac6e9735845e75d719d40774c3',
  'schema of runners': 'cda9e42a1ffba27ed3487603320a181bc1b9dde27dfa3dd2dda6fc8e47049e2a',
  'schema of scim': 'a3c18e196b4224ec8a9af7f6bece0200894454fac04001439b303c4477a9ddca',
  'schema of shares': '576ab31d28d879f88547cbd776b9d5a1dc0d5199530173350e9e35e82c2d0c72',
  'schema of stylesheets': '10914303c72525240d011fe4a16ecee2df603ac1c2ba3534601214c629b96623',
};
