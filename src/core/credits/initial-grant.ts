/** The id of the grant that an account begins with. It has a space, which the ids of an admin's grants can't have. */
export const INITIAL_GRANT_ID = 'initial grant';
