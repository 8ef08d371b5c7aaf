import { benchBulk } from './bulk.ts';
const out = await benchBulk({ quick: true, say: console.error });
console.log(out);
