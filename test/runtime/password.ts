/** Password of `admin` in every database of this folder. */
export const adminPassword = 'only for this test';
