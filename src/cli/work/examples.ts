/** Examples that both the help and the errors show. */
export const dehydrateExample = `gantry effort dehydrate <<'EOF'
{"task":"Search","decisions":["FTS5: it is there already"],"files":["src/search.ts"],"nextSteps":["rank the hits"]}
EOF`
export const dehydrateFlags =
  'gantry effort dehydrate --task "Search" --decision "FTS5: it is there already" --file src/search.ts --next "rank the hits"'
export const guardExample =
  '[{"ruleId":"offline","condition":{"field":"tool","op":"==","value":"WebFetch"},"payload":"No network here.","urgency":"block"}]'
