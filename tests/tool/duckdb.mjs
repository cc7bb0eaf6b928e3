// duckdb -c QUERY, by the npm package @duckdb/node-api in the folder DUCKDB_DIR: prints the rows, with tabs between fields.
import { createRequire } from 'node:module';

const { DuckDBInstance } = createRequire(`${process.env.DUCKDB_DIR}/`)('@duckdb/node-api');
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const result = await connection.runAndReadAll(process.argv[3]);
for (const row of result.getRows()) console.log(row.join('\t'));
