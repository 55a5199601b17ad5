<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ProgramsPage</name>
    <message numerus="yes">
        <source>%n browser(s) can send pages.</source>
        <translation>
            <numerusform>%n browser can send pages.</numerusform>
            <numerusform>%n browsers can send pages.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ActiveMemoryPage</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ArchiveController</name>
    <message numerus="yes">
        <source>%n session(s) pinned.</source>
        <translation>
            <numerusform>%n session pinned.</numerusform>
            <numerusform>%n sessions pinned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) deleted.</source>
        <translation>
            <numerusform>%n session deleted.</numerusform>
            <numerusform>%n sessions deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n backup(s) may still contain what was deleted.</source>
        <translation>
            <numerusform>%n backup may still contain what was deleted.</numerusform>
            <numerusform>%n backups may still contain what was deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) merged into “{first}”.</source>
        <translation>
            <numerusform>%n session merged into “{first}”.</numerusform>
            <numerusform>%n sessions merged into “{first}”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample session(s) added.</source>
        <translation>
            <numerusform>%n sample session loaded.</numerusform>
            <numerusform>%n sample sessions loaded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) unpinned.</source>
        <translation>
            <numerusform>%n session unpinned.</numerusform>
            <numerusform>%n sessions unpinned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) were exported.</source>
        <translation>
            <numerusform>%n session was exported.</numerusform>
            <numerusform>%n sessions were exported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exporting %n session(s): {percent}% done.</source>
        <translation>
            <numerusform>Exporting %n session: {percent}% done.</numerusform>
            <numerusform>Exporting %n sessions: {percent}% done.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContextPanel</name>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%n tool</numerusform>
            <numerusform>%n tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n summary(ies) of older messages</source>
        <translation>
            <numerusform>%n summary of older messages</numerusform>
            <numerusform>%n summaries of older messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s), word for word</source>
        <translation>
            <numerusform>%n message, word for word</numerusform>
            <numerusform>%n messages, word for word</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s) from memory</source>
        <translation>
            <numerusform>%n fact from memory</numerusform>
            <numerusform>%n facts from memory</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n retrieved passage(s)</source>
        <translation>
            <numerusform>%n retrieved passage</numerusform>
            <numerusform>%n retrieved passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more were sent as a summary</source>
        <translation>
            <numerusform>%n more was sent as a summary</numerusform>
            <numerusform>%n more were sent as a summary</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out because there was not enough space</source>
        <translation>
            <numerusform>%n left out because there was not enough space</numerusform>
            <numerusform>%n left out because there was not enough space</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more left out because only the most important facts are sent</source>
        <translation>
            <numerusform>%n more left out because only the most important facts are sent</numerusform>
            <numerusform>%n more left out because only the most important facts are sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out because of your setting for long sessions</source>
        <translation>
            <numerusform>%n left out because of your setting for long sessions</numerusform>
            <numerusform>%n left out because of your setting for long sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n left out</numerusform>
            <numerusform>%n left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preference(s)</source>
        <translation>
            <numerusform>%n preference</numerusform>
            <numerusform>%n preferences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier detail(s) you may be referring to</source>
        <translation>
            <numerusform>%n earlier detail you may be referring to</numerusform>
            <numerusform>%n earlier details you may be referring to</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrashRecovery</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiaryController</name>
    <message numerus="yes">
        <source>Watches found %n new thing(s).</source>
        <translation>
            <numerusform>Watches found %n new thing.</numerusform>
            <numerusform>Watches found %n new things.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiaryPage</name>
    <message numerus="yes">
        <source>%Ln entry(ies)</source>
        <translation>
            <numerusform>%Ln entry</numerusform>
            <numerusform>%Ln entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln open item(s)</source>
        <translation>
            <numerusform>%Ln open item</numerusform>
            <numerusform>%Ln open items</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactLabels</name>
    <message numerus="yes">
        <source>mentioned %n time(s)</source>
        <translation>
            <numerusform>mentioned %n time</numerusform>
            <numerusform>mentioned %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n suggestion(s) not saved</source>
        <translation>
            <numerusform>%n suggestion not saved</numerusform>
            <numerusform>%n suggestions not saved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not in your own words</source>
        <translation>
            <numerusform>%n not in your own words</numerusform>
            <numerusform>%n not in your own words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n previously deleted by you</source>
        <translation>
            <numerusform>%n previously deleted by you</numerusform>
            <numerusform>%n previously deleted by you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n no longer true</source>
        <translation>
            <numerusform>%n no longer true</numerusform>
            <numerusform>%n no longer true</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not of lasting value</source>
        <translation>
            <numerusform>%n not of lasting value</numerusform>
            <numerusform>%n not of lasting value</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not important enough</source>
        <translation>
            <numerusform>%n not important enough</numerusform>
            <numerusform>%n not important enough</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n from a failed answer</source>
        <translation>
            <numerusform>%n from a failed answer</numerusform>
            <numerusform>%n from a failed answer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with a key, a password or a card number</source>
        <translation>
            <numerusform>%n with a key, a password or a card number</numerusform>
            <numerusform>%n with a key, a password or a card number</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n already remembered</source>
        <translation>
            <numerusform>%n already remembered</numerusform>
            <numerusform>%n already remembered</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsPage</name>
    <message numerus="yes">
        <source>%n earlier backup(s) may still contain these facts.</source>
        <translation>
            <numerusform>%n earlier backup may still contain these facts.</numerusform>
            <numerusform>%n earlier backups may still contain these facts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n fact(s) and their history will be deleted. Preferences, suggested questions and your sessions will not change, and Bellek will not learn facts from the same words again.</source>
        <translation>
            <numerusform>%n fact and its history will be deleted. Preferences, suggested questions and your sessions will not change, and Bellek will not learn facts from the same words again.</numerusform>
            <numerusform>All %n facts and their history will be deleted. Preferences, suggested questions and your sessions will not change, and Bellek will not learn facts from the same words again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentence(s) of another assistant wait…</source>
        <translation>
            <numerusform>%n sentence of another assistant waits…</numerusform>
            <numerusform>%n sentences of another assistant wait…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindingBox</name>
    <message numerus="yes">
        <source>%n more not shown.</source>
        <translation>
            <numerusform>%n more is not shown.</numerusform>
            <numerusform>%n more are not shown.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportSessionsDialog</name>
    <message numerus="yes">
        <source>%n session(s) added so far.</source>
        <translation>
            <numerusform>%n session added so far.</numerusform>
            <numerusform>%n sessions added so far.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) imported.</source>
        <translation>
            <numerusform>%n session imported.</numerusform>
            <numerusform>%n sessions imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) were already in the archive.</source>
        <translation>
            <numerusform>%n session was already in the archive.</numerusform>
            <numerusform>%n sessions were already in the archive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s)</source>
        <translation>
            <numerusform>%Ln session</numerusform>
            <numerusform>%Ln sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) for the library.</source>
        <translation>
            <numerusform>%n document for the library.</numerusform>
            <numerusform>%n documents for the library.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message numerus="yes">
        <source>%n file(s) look like conversations</source>
        <translation>
            <numerusform>%n file looks like a conversation</numerusform>
            <numerusform>%n files look like conversations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryPage</name>
    <message numerus="yes">
        <source>%n work(s) sent to the collection selected in Zotero.</source>
        <translation>
            <numerusform>%n work sent to the collection selected in Zotero.</numerusform>
            <numerusform>%n works sent to the collection selected in Zotero.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) moved.</source>
        <translation>
            <numerusform>%n source moved.</numerusform>
            <numerusform>%n sources moved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) tagged “{name}”.</source>
        <translation>
            <numerusform>%n source tagged “{name}”.</numerusform>
            <numerusform>%n sources tagged “{name}”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tag “{name}” removed from %n source(s).</source>
        <translation>
            <numerusform>Tag “{name}” removed from %n source.</numerusform>
            <numerusform>Tag “{name}” removed from %n sources.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln source(s)</source>
        <translation>
            <numerusform>%Ln source</numerusform>
            <numerusform>%Ln sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) removed. The removal becomes permanent when Bellek restarts.</source>
        <translation>
            <numerusform>%n source removed. The removal becomes permanent when Bellek restarts.</numerusform>
            <numerusform>%n sources removed. The removal becomes permanent when Bellek restarts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) marked as read.</source>
        <translation>
            <numerusform>%n source marked as read.</numerusform>
            <numerusform>%n sources marked as read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) marked as unread.</source>
        <translation>
            <numerusform>%n source marked as unread.</numerusform>
            <numerusform>%n sources marked as unread.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) copied.</source>
        <translation>
            <numerusform>%n reference copied.</numerusform>
            <numerusform>%n references copied.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) copied as BibTeX.</source>
        <translation>
            <numerusform>%n reference copied as BibTeX.</numerusform>
            <numerusform>%n references copied as BibTeX.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n possible duplicate(s)</source>
        <translation>
            <numerusform>%n possible duplicate</numerusform>
            <numerusform>%n possible duplicates</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LiteratureLabels</name>
    <message numerus="yes">
        <source>cited %Ln time(s)</source>
        <translation>
            <numerusform>cited %Ln time</numerusform>
            <numerusform>cited %Ln times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryNotices</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget these %n fact(s)?</source>
        <translation>
            <numerusform>Forget %n fact?</numerusform>
            <numerusform>Forget these %n facts?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s) forgotten.</source>
        <translation>
            <numerusform>%n fact forgotten.</numerusform>
            <numerusform>%n facts forgotten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more fact(s) remembered</source>
        <translation>
            <numerusform>and %n more fact remembered</numerusform>
            <numerusform>and %n more facts remembered</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message numerus="yes">
        <source>%n server(s) found</source>
        <translation>
            <numerusform>%n server found</numerusform>
            <numerusform>%n servers found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoticeBell</name>
    <message numerus="yes">
        <source>%n notice(s)</source>
        <translation>
            <numerusform>%n notice</numerusform>
            <numerusform>%n notices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PassphraseDialog</name>
    <message numerus="yes">
        <source>Use at least %n character(s). Several words are best.</source>
        <translation>
            <numerusform>Choose at least %n character. Several words are best.</numerusform>
            <numerusform>Choose at least %n characters. Several words are best.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanCard</name>
    <message numerus="yes">
        <source>%n search(es)</source>
        <translation>
            <numerusform>%n search</numerusform>
            <numerusform>%n searches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n page</numerusform>
            <numerusform>%n pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PreferencePage</name>
    <message numerus="yes">
        <source>and %n more message(s)</source>
        <translation>
            <numerusform>and %n more message</numerusform>
            <numerusform>and %n more messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProjectsController</name>
    <message numerus="yes">
        <source>%n session(s) moved to “{name}”.</source>
        <translation>
            <numerusform>%n session moved to “{name}”.</numerusform>
            <numerusform>%n sessions moved to “{name}”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) moved out of the project.</source>
        <translation>
            <numerusform>%n session moved out of the project.</numerusform>
            <numerusform>%n sessions moved out of the project.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) tagged “{name}”.</source>
        <translation>
            <numerusform>%n session tagged “{name}”.</numerusform>
            <numerusform>%n sessions tagged “{name}”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tag “{name}” removed from %n session(s).</source>
        <translation>
            <numerusform>Tag “{name}” removed from %n session.</numerusform>
            <numerusform>Tag “{name}” removed from %n sessions.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message numerus="yes">
        <source>Show %Ln earlier character(s)</source>
        <translation>
            <numerusform>Show %Ln earlier character</numerusform>
            <numerusform>Show %Ln earlier characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more character(s)</source>
        <translation>
            <numerusform>Show %Ln more character</numerusform>
            <numerusform>Show %Ln more characters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResearchController</name>
    <message numerus="yes">
        <source>%n completed step(s) will not be charged again.</source>
        <translation>
            <numerusform>%n completed step will not be charged again.</numerusform>
            <numerusform>%n completed steps will not be charged again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultsModel</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerChoice</name>
    <message numerus="yes">
        <source>%n server(s) found</source>
        <translation>
            <numerusform>%n server found</numerusform>
            <numerusform>%n servers found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionNotices</name>
    <message numerus="yes">
        <source>This session is long, so %n older message(s) were sent to the model as a summary.</source>
        <translation>
            <numerusform>This session is long, so %n older message was sent to the model as a summary.</numerusform>
            <numerusform>This session is long, so %n older messages were sent to the model as a summary.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This session is long, so %n older message(s) were not sent to the model.</source>
        <translation>
            <numerusform>This session is long, so %n older message was not sent to the model.</numerusform>
            <numerusform>This session is long, so %n older messages were not sent to the model.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionPageView</name>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>%n time</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ShutdownController</name>
    <message numerus="yes">
        <source>Close Bellek while %n session(s) are being answered?</source>
        <translation>
            <numerusform>Close Bellek while %n session is being answered?</numerusform>
            <numerusform>Close Bellek while %n sessions are being answered?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SourceLabels</name>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln page</numerusform>
            <numerusform>%Ln pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceLabels</name>
    <message numerus="yes">
        <source>%n sub-question(s)</source>
        <translation>
            <numerusform>%n sub-question</numerusform>
            <numerusform>%n sub-questions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passage(s)</source>
        <translation>
            <numerusform>%n passage</numerusform>
            <numerusform>%n passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n claim(s)</source>
        <translation>
            <numerusform>%n claim</numerusform>
            <numerusform>%n claims</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n contradiction(s)</source>
        <translation>
            <numerusform>%n contradiction</numerusform>
            <numerusform>%n contradictions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UsedPassages</name>
    <message numerus="yes">
        <source>Passages from %n past session(s) sent</source>
        <translation>
            <numerusform>Passages from %n past session sent</numerusform>
            <numerusform>Passages from %n past sessions sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Passages from %n document(s) sent</source>
        <translation>
            <numerusform>Passages from %n document sent</numerusform>
            <numerusform>Passages from %n documents sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s) sent</source>
        <translation>
            <numerusform>%n fact sent</numerusform>
            <numerusform>%n facts sent</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WatchesDialog</name>
    <message numerus="yes">
        <source>%n new; the diary quotes it.</source>
        <translation>
            <numerusform>%n new; the diary quotes it.</numerusform>
            <numerusform>%n new; the diary quotes them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WindowHousekeeping</name>
    <message numerus="yes">
        <source>%n scanned document(s) were read; search finds them.</source>
        <translation>
            <numerusform>%n scanned document was read; search finds it.</numerusform>
            <numerusform>%n scanned documents were read; search finds them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) in your library or your answers were retracted or corrected; their titles say so.</source>
        <translation>
            <numerusform>%n work in your library or your answers was retracted or corrected; its title says so.</numerusform>
            <numerusform>%n works in your library or your answers were retracted or corrected; their titles say so.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The messages in %n archived session(s) take up about {size} of the archive’s {whole} MB.</source>
        <translation>
            <numerusform>The messages in %n archived session take up about {size} of the archive’s {whole} MB.</numerusform>
            <numerusform>The messages in %n archived sessions take up about {size} of the archive’s {whole} MB.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exporting %n session(s): {percent}% done.</source>
        <translation>
            <numerusform>Exporting %n session: {percent}% done.</numerusform>
            <numerusform>Exporting %n sessions: {percent}% done.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) not used for 90 days were archived.</source>
        <translation>
            <numerusform>%n session not used for 90 days was archived.</numerusform>
            <numerusform>%n sessions not used for 90 days were archived.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Archive %n session(s) not used for 90 days? They will leave this list, but you can still find them.</source>
        <translation>
            <numerusform>Archive %n session not used for 90 days? It will leave this list, but you can still find it.</numerusform>
            <numerusform>Archive %n sessions not used for 90 days? They will leave this list, but you can still find them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) have not been used for 90 days. They will leave the list, but you can open them from its last line and find them with search. Continuing a session brings it back. Bellek will then archive old sessions once a day until you turn off archiving in Settings.</source>
        <translation>
            <numerusform>%n session has not been used for 90 days. It will leave the list, but you can open it from the last line and find it with search. Continuing the session brings it back. Bellek will then archive old sessions once a day until you turn off archiving in Settings.</numerusform>
            <numerusform>%n sessions have not been used for 90 days. They will leave the list, but you can open them from its last line and find them with search. Continuing a session brings it back. Bellek will then archive old sessions once a day until you turn off archiving in Settings.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The messages of %n session(s) were exported to {file} and removed. The archive will shrink from {before} to about {after} MB the next time Bellek starts.</source>
        <translation>
            <numerusform>The messages of %n session were exported to {file} and removed. The archive will shrink from {before} to about {after} MB the next time Bellek starts.</numerusform>
            <numerusform>The messages of %n sessions were exported to {file} and removed. The archive will shrink from {before} to about {after} MB the next time Bellek starts.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WindowNotices</name>
    <message numerus="yes">
        <source>The titles and summaries of %n session(s) were extracted from their text. Should the connected model rewrite them?</source>
        <translation>
            <numerusform>The title and summary of %n session were extracted from its text. Should the connected model rewrite them?</numerusform>
            <numerusform>The titles and summaries of %n sessions were extracted from their text. Should the connected model rewrite them?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WorkLabels</name>
    <message numerus="yes">
        <source>%Ln passage(s)</source>
        <translation>
            <numerusform>%Ln passage</numerusform>
            <numerusform>%Ln passages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ZoteroDialog</name>
    <message numerus="yes">
        <source>%n note(s) added.</source>
        <translation>
            <numerusform>%n note added.</numerusform>
            <numerusform>%n notes added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) added.</source>
        <translation>
            <numerusform>%n work added.</numerusform>
            <numerusform>%n works added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them have no PDF.</source>
        <translation>
            <numerusform>%n of them has no PDF.</numerusform>
            <numerusform>%n of them have no PDF.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) filled in.</source>
        <translation>
            <numerusform>%n reference filled in.</numerusform>
            <numerusform>%n references filled in.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) read again.</source>
        <translation>
            <numerusform>%n work read again.</numerusform>
            <numerusform>%n works read again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be read.</source>
        <translation>
            <numerusform>%n file could not be read.</numerusform>
            <numerusform>%n files could not be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) are no longer in Zotero. Remove them here, too?</source>
        <translation>
            <numerusform>%n work is no longer in Zotero. Remove it here, too?</numerusform>
            <numerusform>%n works are no longer in Zotero. Remove them here, too?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Adding</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) added.</source>
        <translation>
            <numerusform>%n document added.</numerusform>
            <numerusform>%n documents added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) updated.</source>
        <translation>
            <numerusform>%n document updated.</numerusform>
            <numerusform>%n documents updated.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) were already in the library.</source>
        <translation>
            <numerusform>%n document was already in the library.</numerusform>
            <numerusform>%n documents were already in the library.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new reference(s) imported.</source>
        <translation>
            <numerusform>%n new reference imported.</numerusform>
            <numerusform>%n new references imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) completed.</source>
        <translation>
            <numerusform>%n reference completed.</numerusform>
            <numerusform>%n references completed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) were already known.</source>
        <translation>
            <numerusform>%n reference was already known.</numerusform>
            <numerusform>%n references were already known.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The scanned pages of %n document(s) will be read while you are not typing.</source>
        <translation>
            <numerusform>The scanned pages of %n document will be read while you are not typing.</numerusform>
            <numerusform>The scanned pages of %n documents will be read while you are not typing.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AnswerCard</name>
    <message numerus="yes">
        <source>%n statement(s) contradicted by the source</source>
        <translation>
            <numerusform>%n statement contradicted by its source</numerusform>
            <numerusform>%n statements contradicted by their sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statement(s) not in the source</source>
        <translation>
            <numerusform>%n statement not in its source</numerusform>
            <numerusform>%n statements not in their sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message numerus="yes">
        <source>Claims checked: %n without support in the source</source>
        <translation>
            <numerusform>Claims checked: %n without support in its source</numerusform>
            <numerusform>Claims checked: %n without support in their sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DevicesPage</name>
    <message numerus="yes">
        <source>%n pack(s) of its changes not here yet</source>
        <translation>
            <numerusform>%n pack of its changes not here yet</numerusform>
            <numerusform>%n packs of its changes not here yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) received</source>
        <translation>
            <numerusform>%n change received</numerusform>
            <numerusform>%n changes received</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SetupForm</name>
    <message numerus="yes">
        <source>Use at least %n character(s). Several words are best.</source>
        <translation>
            <numerusform>Use at least %n character. Several words are best.</numerusform>
            <numerusform>Use at least %n characters. Several words are best.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message numerus="yes">
        <source>Devices: %n choice(s)</source>
        <translation>
            <numerusform>Devices: %n choice</numerusform>
            <numerusform>Devices: %n choices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Publishing</name>
    <message numerus="yes">
        <source>%n session(s) published: the members of the project receive what is there now.</source>
        <translation>
            <numerusform>%n session published: the members of the project receive what is there now.</numerusform>
            <numerusform>%n sessions published: the members of the project receive what is there now.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FolderWatcher</name>
    <message numerus="yes">
        <source>%n document(s) are no longer in the folder “{folder}”: {names}.</source>
        <translation>
            <numerusform>%n document is no longer in the folder “{folder}”: {names}.</numerusform>
            <numerusform>%n documents are no longer in the folder “{folder}”: {names}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) removed from the library.</source>
        <translation>
            <numerusform>%n document removed from the library.</numerusform>
            <numerusform>%n documents removed from the library.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WatchedFoldersDialog</name>
    <message numerus="yes">
        <source>%n gone document(s)…</source>
        <translation>
            <numerusform>%n gone document…</numerusform>
            <numerusform>%n gone documents…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) read.</source>
        <translation>
            <numerusform>%n document read.</numerusform>
            <numerusform>%n documents read.</numerusform>
        </translation>
    </message>
</context>
</TS>
