# fish completion for planvet

function __planvet_rules
    planvet rules --format json 2>/dev/null | string match -rg '^ {6}"name": "([a-z-]*)"'
end

function __planvet_command
    set --local words (commandline -opc)
    for word in $words[2..]
        if contains -- $word check tree annotate snapshot rules rule baseline config
            echo $word
            return
        end
    end
    echo check
end

function __planvet_is
    contains -- (__planvet_command) $argv
end

complete -c planvet -n __fish_use_subcommand -a check -d 'Judge plans'
complete -c planvet -n __fish_use_subcommand -a tree -d 'Draw the operator tree'
complete -c planvet -n __fish_use_subcommand -a annotate -d 'Plans with what was measured'
complete -c planvet -n __fish_use_subcommand -a snapshot -d 'Plans as files for git'
complete -c planvet -n __fish_use_subcommand -a rules -d 'List the rules'
complete -c planvet -n __fish_use_subcommand -a rule -d 'Explain one rule'
complete -c planvet -n __fish_use_subcommand -a baseline -d 'Accept the findings of today'
complete -c planvet -n __fish_use_subcommand -a config -d 'About planvet.toml'
complete -c planvet -n __fish_use_subcommand -l version -d 'The version'

complete -c planvet -l help -s h -d 'Options and examples'
complete -c planvet -l color -x -a 'auto always never' -d 'Colours'
complete -c planvet -l width -x -d 'Columns of text output'
complete -c planvet -l ascii -d 'Nothing but ASCII in drawings'

complete -c planvet -n '__planvet_is check tree annotate snapshot baseline' -l stdin-filename -r -d 'What standard input is called'
complete -c planvet -n '__planvet_is check tree annotate snapshot baseline' -l jobs -s j -x -d 'Inputs read at the same time'
complete -c planvet -n '__planvet_is check tree annotate snapshot baseline' -l no-progress -d 'No line that says how far a run is'
complete -c planvet -n '__planvet_is check tree annotate' -l verbose -s v -d 'Everything that is known'

complete -c planvet -n '__planvet_is check baseline annotate' -l select -x -a '(__planvet_rules)' -d 'Only these rules'
complete -c planvet -n '__planvet_is check baseline annotate' -l ignore -x -a '(__planvet_rules)' -d 'Not these rules'
complete -c planvet -n '__planvet_is check baseline annotate' -l severity -x -a '(__planvet_rules)=' -d 'RULE=error, warning or info'
complete -c planvet -n '__planvet_is check' -l fail-on -x -a 'error warning info never' -d 'What makes the exit status 1'
complete -c planvet -n '__planvet_is check' -l exit-zero -d 'Exit status 0 even with findings'
complete -c planvet -n '__planvet_is check' -l strict -d 'Exit status 1 when a part could not be read'
complete -c planvet -n '__planvet_is check baseline annotate' -l conf -x -d 'A configuration of the session: KEY=VALUE'
complete -c planvet -n '__planvet_is check baseline annotate' -l config -r -d 'Settings from this file'
complete -c planvet -n '__planvet_is check baseline annotate' -l isolated -d 'No settings from any file'
complete -c planvet -n '__planvet_is check baseline' -l baseline -r -d 'The file of accepted findings'
complete -c planvet -n '__planvet_is check' -l no-baseline -d 'As if there were no baseline'
complete -c planvet -n '__planvet_is check' -l new-since -x -d 'Only findings that this revision did not have'
complete -c planvet -n '__planvet_is check' -l changed-since -x -d 'Only files that changed since this revision'
complete -c planvet -n '__planvet_is check' -l show-settings -d 'The settings that hold, and where each comes from'
complete -c planvet -n '__planvet_is check' -l format -x -a 'text concise json jsonl sarif github gitlab junit rdjson checkstyle markdown' -d 'Output format'
complete -c planvet -n '__planvet_is check' -l output -r -a 'text= concise= json= jsonl= sarif= github= gitlab= junit= rdjson= checkstyle= markdown=' -d 'Also to a file: FORMAT=FILE'
complete -c planvet -n '__planvet_is check' -l no-github -d 'Nothing of its own accord in GitHub Actions'
complete -c planvet -n '__planvet_is check' -l statistics -d 'How often each rule fired'
complete -c planvet -n '__planvet_is check baseline annotate' -l quiet -s q -d 'Findings and notes only'

complete -c planvet -n '__planvet_is tree' -l fragment -x -a 'final initial all' -d 'Which plan of an adaptive query'
complete -c planvet -n '__planvet_is tree' -l format -x -a 'text json dot mermaid' -d 'Output format'

complete -c planvet -n '__planvet_is annotate' -l sql -x -a all -d 'The query of this number, or all'
complete -c planvet -n '__planvet_is annotate' -l metrics -r -F -d 'Log with the metrics of plans that have none'
complete -c planvet -n '__planvet_is annotate' -l slowest -x -d 'The queries that took longest'
complete -c planvet -n '__planvet_is annotate' -l failed -d 'Queries that failed or were cancelled'
complete -c planvet -n '__planvet_is annotate' -l list -d 'The list of queries'
complete -c planvet -n '__planvet_is annotate' -l format -x -a 'text json markdown dot mermaid' -d 'Output format'
complete -c planvet -n '__planvet_is annotate' -l output -r -a 'text= json= markdown= dot= mermaid=' -d 'Also to a file: FORMAT=FILE'

complete -c planvet -n '__planvet_is baseline' -l format -x -a 'text json' -d 'Output format of show'
complete -c planvet -n '__planvet_is baseline' -f -a 'write prune show'
complete -c planvet -n '__planvet_is config' -f -a schema
complete -c planvet -n '__planvet_is snapshot' -l output-file -s o -r -d 'Write this file'
complete -c planvet -n '__planvet_is snapshot' -l output-dir -x -a '(__fish_complete_directories)' -d 'A file for each input'
complete -c planvet -n '__planvet_is snapshot' -l in-place -d 'Write the inputs themselves anew'
complete -c planvet -n '__planvet_is snapshot' -l check -d 'Say what changed, write nothing'
complete -c planvet -n '__planvet_is snapshot' -l final -d 'The plan that ran'
complete -c planvet -n '__planvet_is snapshot' -l mask-literals -d 'No literals of expressions'
complete -c planvet -n '__planvet_is snapshot' -l quiet -s q -d 'No summary'

complete -c planvet -n '__planvet_is rules rule' -l format -x -a 'text json markdown' -d 'Output format'
complete -c planvet -n '__planvet_is rule' -f -a '(__planvet_rules)'
