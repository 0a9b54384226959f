export const bucketKey = { accessKey: 'BENCH', secret: 'secret-of-the-bench', region: 'eu-west-1' };
