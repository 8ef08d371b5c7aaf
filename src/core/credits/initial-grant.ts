/** The grant that an account begins with. With a space, which ids of grants from operators can't have. */
export const INITIAL_GRANT_ID = 'initial grant';
