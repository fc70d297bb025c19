<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AlertEngine</name>
    <message numerus="yes">
        <source>%n partition(s) cannot be searched: %1.</source>
        <translation>
            <numerusform>%n partition cannot be searched: %1.</numerusform>
            <numerusform>%n partitions cannot be searched: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) belong to nobody: %1.</source>
        <translation>
            <numerusform>%n partition belong to nobody: %1.</numerusform>
            <numerusform>%n partitions belong to nobody: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) have too few healthy owners: %1.</source>
        <translation>
            <numerusform>%n partition have too few healthy owners: %1.</numerusform>
            <numerusform>%n partitions have too few healthy owners: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConfigDraft</name>
    <message numerus="yes">
        <source>%1 gets a copy of %n partition(s): %2.</source>
        <translation>
            <numerusform>%1 gets a copy of %n partition: %2.</numerusform>
            <numerusform>%1 gets a copy of %n partitions: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 gives up %n partition(s): %2.</source>
        <translation>
            <numerusform>%1 gives up %n partition: %2.</numerusform>
            <numerusform>%1 gives up %n partitions: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 gives %n partition(s) to %2: %3.</source>
        <translation>
            <numerusform>%1 gives %n partition to %2: %3.</numerusform>
            <numerusform>%1 gives %n partitions to %2: %3.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ClusterBar</name>
    <message numerus="yes">
        <source>(%n unknown)</source>
        <comment>nodes</comment>
        <translation>
            <numerusform>(%n unknown)</numerusform>
            <numerusform>(%n unknown)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ConfigPage</name>
    <message numerus="yes">
        <source>%n error(s) have to be mended first.</source>
        <translation>
            <numerusform>%n error has to be mended first.</numerusform>
            <numerusform>%n errors have to be mended first.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 gets %n partition(s).</source>
        <translation>
            <numerusform>%1 gets %n partition.</numerusform>
            <numerusform>%1 gets %n partitions.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::EpochStrip</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::FaceBrowser</name>
    <message numerus="yes">
        <source>%1    partition %2, %n photo(s)</source>
        <translation>
            <numerusform>%1    partition %2, %n photo</numerusform>
            <numerusform>%1    partition %2, %n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n face(s) listed</source>
        <translation>
            <numerusform>%n face listed</numerusform>
            <numerusform>%n faces listed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Inspector</name>
    <message numerus="yes">
        <source>%n partition(s)</source>
        <translation>
            <numerusform>%n partition</numerusform>
            <numerusform>%n partitions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s), %1</source>
        <translation>
            <numerusform>%n partition, %1</numerusform>
            <numerusform>%n partitions, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::LegendChip</name>
    <message numerus="yes">
        <source>%1, %n partition(s), %2 vectors, %3</source>
        <translation>
            <numerusform>%1, %n partition, %2 vectors, %3</numerusform>
            <numerusform>%1, %n partitions, %2 vectors, %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s): %1</source>
        <translation>
            <numerusform>%n partition: %1</numerusform>
            <numerusform>%n partitions: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::MergeSheet</name>
    <message numerus="yes">
        <source>The config was changed by somebody else, in %n place(s) where the draft changes it too. Left is the draft, right the new config. Everything else of both is kept; nothing is written yet.</source>
        <translation>
            <numerusform>The config was changed by somebody else, in one place where the draft changes it too. Left is the draft, right the new config. Everything else of both is kept; nothing is written yet.</numerusform>
            <numerusform>The config was changed by somebody else, in %n places where the draft changes it too. Left is the draft, right the new config. Everything else of both is kept; nothing is written yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Page</name>
    <message numerus="yes">
        <source>%1 of %n node(s) answered.</source>
        <translation>
            <numerusform>%1 of %n node answered.</numerusform>
            <numerusform>%1 of %n nodes answered.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::PhotoView</name>
    <message numerus="yes">
        <source>Photo, %1, %n face(s) found</source>
        <translation>
            <numerusform>Photo, %1, %n face found</numerusform>
            <numerusform>Photo, %1, %n faces found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::PlannerPage</name>
    <message numerus="yes">
        <source>%n partition(s) move, of at least %1.</source>
        <translation>
            <numerusform>%n partition moves, of at least %1.</numerusform>
            <numerusform>%n partitions move, of at least %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wave(s)</source>
        <translation>
            <numerusform>%n wave</numerusform>
            <numerusform>%n waves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Plan: %n move(s)</source>
        <translation>
            <numerusform>Plan: %n move</numerusform>
            <numerusform>Plan: %n moves</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ProblemPanel</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::QueuePage</name>
    <message numerus="yes">
        <source>%n write(s) that the worker refused; they stay until it is repaired.</source>
        <translation>
            <numerusform>%n write that the worker refused; it stays until it is repaired.</numerusform>
            <numerusform>%n writes that the worker refused; they stay until it is repaired.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The queue of %1: %n write(s) concerned.</source>
        <translation>
            <numerusform>The queue of %1: %n write concerned.</numerusform>
            <numerusform>The queue of %1: %n writes concerned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln vector(s)</source>
        <translation>
            <numerusform>%Ln vector</numerusform>
            <numerusform>%Ln vectors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::SafeToStop</name>
    <message numerus="yes">
        <source>No other healthy owner has %n partition(s): %1.</source>
        <translation>
            <numerusform>No other healthy owner has %n partition: %1.</numerusform>
            <numerusform>No other healthy owner has %n partitions: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Other owners hold another number of vectors of %n partition(s): %1.</source>
        <translation>
            <numerusform>Other owners hold another number of vectors of %n partition: %1.</numerusform>
            <numerusform>Other owners hold another number of vectors of %n partitions: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The vectors of %n partition(s) are not known: %1.</source>
        <translation>
            <numerusform>The vectors of %n partition are not known: %1.</numerusform>
            <numerusform>The vectors of %n partitions are not known: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n write(s) wait for it.</source>
        <translation>
            <numerusform>%n write waits for it.</numerusform>
            <numerusform>%n writes wait for it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::TimingPane</name>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Verdict</name>
    <message numerus="yes">
        <source>%n partition(s) (%1) cannot be searched</source>
        <translation>
            <numerusform>%n partition (%1) cannot be searched</numerusform>
            <numerusform>%n partitions (%1) cannot be searched</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) (%1) belong to nobody.</source>
        <translation>
            <numerusform>%n partition (%1) belongs to nobody.</numerusform>
            <numerusform>%n partitions (%1) belong to nobody.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) (%1) have fewer healthy owners than they should.</source>
        <translation>
            <numerusform>%n partition (%1) has fewer healthy owners than it should.</numerusform>
            <numerusform>%n partitions (%1) have fewer healthy owners than they should.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n write(s) for %1 are parked.</source>
        <translation>
            <numerusform>%n write for %1 is parked.</numerusform>
            <numerusform>%n writes for %1 are parked.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All 256 partitions have %n healthy owner(s).</source>
        <translation>
            <numerusform>All 256 partitions have %n healthy owner.</numerusform>
            <numerusform>All 256 partitions have %n healthy owners.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Checked %1 on %2 of %n node(s).</source>
        <translation>
            <numerusform>Checked %1 on %2 of %n node.</numerusform>
            <numerusform>Checked %1 on %2 of %n nodes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unknown: %1 of %n node(s) have not answered.</source>
        <translation>
            <numerusform>Unknown: %1 of %n node has not answered.</numerusform>
            <numerusform>Unknown: %1 of %n nodes have not answered.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unknown: the state of %n partition(s) is not known.</source>
        <translation>
            <numerusform>Unknown: the state of %n partition is not known.</numerusform>
            <numerusform>Unknown: the state of %n partitions is not known.</numerusform>
        </translation>
    </message>
</context>
</TS>
