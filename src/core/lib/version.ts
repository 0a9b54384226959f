/** The version of this program; `test/package.test.ts` compares it with package.json. */
export const programVersion = '1.0.0-rc.1';

/** The release of the API that clients may expect. */
export const apiVersion = '24.1';

/** Version of the calls between a runner and the service. It grows where one of them would not understand the other. */
export const runnerProtocol = 1;
