/** The version of this program; `test/package.test.ts` compares it with package.json. */
export const programVersion = '0.1.0';

/** The release of the API that clients may expect. */
export const apiVersion = '24.1';
