// For `npm run update -- migration`, whose tool is fetched when it is needed: 50 MB that only a change of a table asks for.
export default { dialect: 'sqlite', schema: './src/storage/schema.ts', out: './migrations' };
